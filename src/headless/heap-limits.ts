// Keeps the young generation of the heap small: a long run makes much short-lived text, and V8 would let it pile up.
import { setFlagsFromString } from 'node:v8';

// Before anything else is loaded; megabytes. Measured: a quarter less peak memory over 200 turns, no slower turns.
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--max-semi-space-size=2');
