# A room is a folder, a CMake target, and a set of include paths that it may
# see. Nothing is granted globally: a room that does not name MLIR cannot
# include it.
include_guard(GLOBAL)

find_program(DTC_CCACHE ccache)
if(DTC_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${DTC_CCACHE})
endif()
# GNU ld spends seconds on libLLVM's symbols; lld does not.
if(EXISTS /usr/lib/llvm-22/bin/ld.lld)
  add_link_options(-B/usr/lib/llvm-22/bin -fuse-ld=lld)
endif()

# Rounding belongs to the graph operation: no compiler may contract a*b+c.
add_compile_options(-ffp-contract=off -fno-strict-aliasing -Wall -Wextra
                    -Wno-unused-parameter -Wno-missing-field-initializers)
# Debian's hardening wrappers and presets must not switch our asserts off.
string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

# dtc_library(NAME SOURCES… [DEPS…]): a room of the runtime, in plain C++.
function(dtc_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_DEPS})
endfunction()

# dtc_mlir_library(NAME SOURCES… [DEPS…] [NO_PCH]): a room that may see MLIR.
# Rooms that see the graph dialect share its ops precompiled, the others MLIR.
# NO_PCH: its dependencies bring flags that the shared header was not made with.
function(dtc_mlir_library name)
  cmake_parse_arguments(ARG "NO_PCH" "" "SOURCES;DEPS" ${ARGN})
  dtc_library(${name} SOURCES ${ARG_SOURCES} DEPS ${ARG_DEPS} MLIR LLVM)
  target_include_directories(${name} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${name} PUBLIC ${LLVM_DEFINITIONS_LIST})
  set(pch dtc_mlir_pch)
  if(dtc_dialects_graph IN_LIST ARG_DEPS OR ${name} STREQUAL dtc_dialects_graph)
    set(pch dtc_graph_pch)
  endif()
  if(NOT ARG_NO_PCH)
    target_precompile_headers(${name} REUSE_FROM ${pch})
    target_compile_options(${name} PRIVATE -fpch-preprocess)
  endif()
endfunction()

# dtc_precompiled(NAME HEADERS…): headers compiled once for many rooms.
function(dtc_precompiled name)
  # CONFIGURE leaves the file alone when it is there: a new time would rebuild all.
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "")
  dtc_mlir_library(${name} NO_PCH SOURCES ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_precompile_headers(${name} PRIVATE ${ARGN})
  target_compile_options(${name} PRIVATE -fpch-preprocess)
endfunction()

# dtc_tablegen(TARGET_LIBRARY TD_FILE OUTPUT ARGS…): runs mlir-tblgen on TD_FILE
# of this folder; OUTPUT lies at the same relative path in the build tree.
function(dtc_tablegen library td output)
  file(RELATIVE_PATH room ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(out ${CMAKE_BINARY_DIR}/${room}/${output})
  set(includes)
  foreach(dir ${MLIR_INCLUDE_DIRS} ${CMAKE_SOURCE_DIR})
    list(APPEND includes -I${dir})
  endforeach()
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/${room}
    COMMAND ${LLVM_TOOLS_BINARY_DIR}/mlir-tblgen ${ARGN} ${includes}
            ${CMAKE_CURRENT_SOURCE_DIR}/${td} -o ${out} -d ${out}.d --write-if-changed
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${td}
    DEPFILE ${out}.d
    VERBATIM)
  set_property(GLOBAL APPEND PROPERTY dtc_generated_${library} ${out})
endfunction()

# dtc_generated(LIBRARY): makes LIBRARY, and all that link to it, wait for the
# files that dtc_tablegen() promised.
function(dtc_generated library)
  get_property(files GLOBAL PROPERTY dtc_generated_${library})
  add_custom_target(${library}_tablegen DEPENDS ${files})
  add_dependencies(${library} ${library}_tablegen)
endfunction()

# dtc_test(NAME SOURCES… DEPS…): one GoogleTest program for a room.
function(dtc_test name)
  if(NOT DTC_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gmock GTest::gtest_main)
  include(GoogleTest)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
                       TEST_PREFIX "${DTC_TEST_PREFIX}"
                       PROPERTIES TIMEOUT ${ARG_TIMEOUT})
endfunction()
