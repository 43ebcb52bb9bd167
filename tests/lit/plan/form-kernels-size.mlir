// RUN: %python %S/Inputs/chain.py 60 sin | dtc-opt -plan-form-kernels | FileCheck %s
// RUN: %python %S/Inputs/chain.py 60 sin matmul | dtc-opt -plan-form-kernels | FileCheck %s --check-prefix=EPILOGUE

// The time that a kernel takes to compile grows faster than the kernel: none
// has more than some 2,000 operations on lanes, behind a root some 400. 60 are
// 25 + 25 + 10 sines; behind a product, 5 + 25 + 25 + 5.
// CHECK: plan.kernel
// CHECK-COUNT-25: graph.sin
// CHECK-NEXT: plan.yield
// CHECK: plan.kernel
// CHECK-COUNT-10: graph.sin
// CHECK-NEXT: plan.yield
// CHECK-NOT: plan.kernel
// CHECK-COUNT-3: plan.launch

// EPILOGUE: graph.matmul
// EPILOGUE-COUNT-5: graph.sin
// EPILOGUE-NEXT: plan.yield
// EPILOGUE-COUNT-25: graph.sin
// EPILOGUE-NEXT: plan.yield
// EPILOGUE-COUNT-5: graph.sin
// EPILOGUE-NEXT: plan.yield
// EPILOGUE-COUNT-4: plan.launch
