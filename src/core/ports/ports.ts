// All ports together: what core needs from its host. No host type appears here.
import { type Approver } from './approver';
import { type Checks } from './checks';
import { type Clock } from './clock';
import { type CommandSandbox } from './command-sandbox';
import { type Configuration } from './configuration';
import { type Debugger } from './debugger';
import { type EditorTasks } from './editor-tasks';
import { type Diagnostics } from './diagnostics';
import { type Documents } from './documents';
import { type FileSystem } from './files';
import { type Git } from './git-state';
import { type HookHandlers } from './hook-handlers';
import { type Languages } from './languages';
import { type Log } from './log';
import { type McpServers } from './mcp';
import { type ModelClient } from './model';
import { type Notebooks } from './notebooks';
import { type Pages } from './pages';
import { type PermissionStore } from './permission-store';
import { type Problems } from './problems';
import { type Questioner } from './questions';
import { type Refactorings } from './refactorings';
import { type Repl } from './repl';
import { type Search } from './search';
import { type SessionStore } from './session-store';
import { type Terminal } from './terminal';
import { type EditorTests } from './tests';
import { type WebClient } from './web';
import { type Worktrees } from './worktrees';

// eslint-disable-next-line house/max-members -- one line for each port; groups would put a second name before every use
export interface Ports {
  files: FileSystem;
  search: Search;
  terminal: Terminal;
  approver: Approver;
  diagnostics: Diagnostics;
  model: ModelClient;
  sessions: SessionStore;
  clock: Clock;
  /** A new UUID. */
  uuid: () => string;
  log: Log;
  /** What not every host has; the tools that need one are left out where it is missing. */
  web?: WebClient;
  languages?: Languages;
  problems?: Problems;
  checks?: Checks;
  tests?: EditorTests;
  refactorings?: Refactorings;
  debugger?: Debugger;
  editorTasks?: EditorTasks;
  questioner?: Questioner;
  notebooks?: Notebooks;
  configuration?: Configuration;
  documents?: Documents;
  repl?: Repl;
  pages?: Pages;
  sandbox?: CommandSandbox;
  hooks?: HookHandlers;
  permissionStore?: PermissionStore;
  mcp?: McpServers;
  worktrees?: Worktrees;
  git?: Git;
}
