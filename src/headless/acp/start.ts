// The entry of deft-acp: limits the heap, then reads the rest, which is shared with the headless runner and the extension.
import '../entry/heap-limits';
import { keepCompiledCode } from '../entry/code-cache';

keepCompiledCode(__dirname);
void import('./acp-main').then(({ main }) => main(__dirname));
