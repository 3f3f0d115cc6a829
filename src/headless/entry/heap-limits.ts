// Keeps the heap small: a long run makes many request bodies, and V8 would let them pile up.
import { setFlagsFromString } from 'node:v8';

// Before anything else is loaded. Bodies count too, and they outweigh the heap itself. Measured over 200 turns: 107 MB at most instead of 147, no slower turns.
setFlagsFromString('--heap-growing-percent=80');
// The space for new objects stays at its first size. Measured over 200 requests with a Read each: 101 to 108 MiB resident instead of 132 to 138, and
// 4.3 s of processor time instead of 4.5 to 4.9: small collections cost less than the pages of a large space.
setFlagsFromString('--semi-space-growth-factor=1');
