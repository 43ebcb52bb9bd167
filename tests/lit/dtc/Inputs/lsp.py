"""Opens a wrong graph in dtc-lsp-server and prints all that it answers."""
import json
import subprocess
import sys

GRAPH = """graph.func @f(%x: tensor<32x64xf32>, %w: tensor<46x10xf32>) {
  %h = graph.matmul %x, %w : tensor<32x64xf32>, tensor<46x10xf32>
}
"""
MESSAGES = [
    {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
    {"method": "initialized", "params": {}},
    {"method": "textDocument/didOpen",
     "params": {"textDocument": {"uri": "file:///graph.mlir", "languageId": "mlir", "version": 1, "text": GRAPH}}},
    {"id": 2, "method": "shutdown"},
    {"method": "exit"},
]


def frame(message):
    body = json.dumps({"jsonrpc": "2.0", **message})
    return f"Content-Length: {len(body)}\r\n\r\n{body}"


result = subprocess.run(["dtc-lsp-server"], input="".join(map(frame, MESSAGES)), capture_output=True, text=True, timeout=60)
sys.stdout.write(result.stdout.replace("\n", " "))
