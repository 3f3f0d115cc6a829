// The command-line entry: limits the heap, then reads the runner, most of which is shared with the extension and lies in parts beside it.
import './heap-limits';

void import('./main').then(({ main }) => main(__dirname));
