// The command-line entry: limits the heap, then reads the runner, most of which is shared with the extension, in chunks next to it.
import './heap-limits';
import { keepCompiledCode } from './code-cache';

keepCompiledCode(__dirname);
void import('../main').then(({ main }) => main(__dirname));
