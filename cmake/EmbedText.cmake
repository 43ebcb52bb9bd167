# cmake -DINPUT=… -DOUTPUT=… -P EmbedText.cmake: the text of a file as a C++
# string literal, to be included.
file(READ "${INPUT}" text)
file(WRITE "${OUTPUT}" "R\"embedded(${text})embedded\"\n")
