// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// What would draw nothing but infinities is refused.

graph.func @wide(%step: tensor<i64>) {
  // expected-error@+1 {{random_uniform: from -1.000000e+308 to 1.000000e+308 is farther than the largest number}}
  %u = graph.random_uniform %step seed 7 stream "a" low -1.0e308 high 1.0e308 : tensor<4xf64>
}
// -----
graph.func @high(%step: tensor<i64>) {
  // expected-error@+1 {{random_uniform: high, 1.000000e+39, is beyond what 'f32' holds}}
  %u = graph.random_uniform %step seed 7 stream "a" low 0.0 high 1.0e39 : tensor<4xf32>
}
// -----
graph.func @low(%step: tensor<i64>) {
  // expected-error@+1 {{random_uniform: low must be a finite number, got }}
  %u = graph.random_uniform %step seed 7 stream "a" low 0xFFF0000000000000 high 1.0 : tensor<4xf32>
}
// -----
graph.func @mean(%step: tensor<i64>) {
  // expected-error@+1 {{random_normal: mean must be a finite number, got }}
  %u = graph.random_normal %step seed 7 stream "a" mean 0x7FF0000000000000 stddev 1.0 : tensor<4xf32>
}
// -----
graph.func @stddev(%step: tensor<i64>) {
  // expected-error@+1 {{random_truncated_normal: stddev must be a finite number, got }}
  %u = graph.random_truncated_normal %step seed 7 stream "a" mean 0.0 stddev 0x7FF0000000000000 : tensor<4xf32>
}
// -----
// expected-error@+1 {{variable: fill value 1.000000e+05 is not a value of 'f16'}}
graph.variable @w : tensor<4xf16> = #graph.fill<100000.0>
// -----
// expected-error@+1 {{variable: the initial values would be infinite: 1.000000e+05 is beyond 'f16'}}
graph.variable @w : tensor<4xf16> = #graph.normal<0.0, 100000.0>
// -----
// expected-error@+1 {{variable: the initial values would be infinite: }}
graph.variable @w : tensor<4xf64> = #graph.uniform<-1.0e308, 1.0e308>
// -----
graph.func @scale() {
  // expected-error@+1 {{input: column "x": scale 1.000000e+06 is beyond 'f16'}}
  %x = graph.input "d" at "d.csv" rows 0 to 8
      [#graph.column<"x", fields 0 to 2, scale 1.0e6, range 0.0 to 1.0>] : tensor<4x2xf16>
}
