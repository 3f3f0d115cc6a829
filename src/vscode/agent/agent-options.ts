// What a window hands to its agent: the ports that an activation has made.
import type * as vscode from 'vscode';
import { type Clock } from '../../core/ports/clock';
import { type Log } from '../../core/ports/log';
import { type Ports } from '../../core/ports/ports';
import { type SessionStore } from '../../core/ports/session-store';
import { type VscodeDiagnostics } from '../diagnostics/vscode-diagnostics';
import { type HookGate } from '../hooks/hook-gate';
import { type ModelSource } from '../model/model-source';
import { type CellWatcher } from '../notebooks/vscode-notebooks';
import { type RuleSource } from '../session/rule-source';
import { type VscodeTerminal } from '../terminal/vscode-terminal';

export interface AgentOptions {
  context: vscode.ExtensionContext;
  clock: Clock;
  log: Log;
  models: ModelSource;
  files: Ports['files'];
  diagnostics: VscodeDiagnostics;
  terminal: VscodeTerminal;
  rules: RuleSource;
  hooks: HookGate;
  store: SessionStore;
  /** Notes what is written into cells of open notebooks. */
  watchCells: CellWatcher;
}
