#!/bin/sh
# Compiles the C files of this folder: build.sh [file], by default the module that the package loads.
# Needs clang and lld; the committed module is made by version 14 (Debian 12: apt-get install clang lld).
set -eu
cd "$(dirname "$0")"
output=${1:-../src/pixels.wasm}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
for name in brightness mark png spectrum; do
  clang --target=wasm32 -O2 -fno-unroll-loops -ffast-math -msimd128 -mbulk-memory -mnontrapping-fptoint \
    -nostdlib -Wall -c -o "$work/$name.o" "$name.c"
done
wasm-ld --no-entry --export=__heap_base --strip-all -z stack-size=32768 -o "$output" \
  "$work/brightness.o" "$work/mark.o" "$work/png.o" "$work/spectrum.o"
