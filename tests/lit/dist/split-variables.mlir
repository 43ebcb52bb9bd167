// Variables in parts, and what is done with them. P8, P9
RUN
