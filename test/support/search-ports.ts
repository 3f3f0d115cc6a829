// The search of tables on real files: the ripgrep of this machine.
import { createSystemClock } from '../../src/node/system-clock';
import { findRipgrep } from '../../src/node/search/ripgrep-path';
import { createRipgrepSearch } from '../../src/node/search/ripgrep-search';
import { type GivenPorts } from './unused-ports';

export function searchPorts(): GivenPorts {
  return {
    clock: createSystemClock(),
    search: createRipgrepSearch(() => findRipgrep({ searchPath: process.env['PATH'], packageRoots: [process.cwd()] })),
  };
}
