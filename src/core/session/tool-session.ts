// What tools see of a session, as it is opened.
import { type PermissionMode } from '../../shared/permission';
import { smallModel } from '../model/models';
import { createSmallModel } from '../model/small-model';
import { type Usage } from '../wire/wire';
import { hiddenNow } from '../permissions/files/hidden-paths';
import { plansDirectory } from '../plan/plan-file';
import { type PermissionContext } from '../permissions/rules/verdict';
import { readStateFromRecords } from '../sessions/read-state-from-records';
import { searchesFromRecords } from '../sessions/searches-from-records';
import { todosFromRecords } from '../sessions/todos-from-records';
import { type SessionTasks } from '../tasks/session-tasks';
import { tasksFromRecords } from '../sessions/tasks-from-records';
import { createToolSandbox } from '../sandbox/tool-sandbox';
import { type SearchedTool } from '../tool/search-tools';
import { type AnyTool, type ToolSession } from '../tool/tool';
import { lastSetting } from '../calls/permission-state';
import { type SessionOptions } from '../agent/session-options';

/** By the registry's list, which is the same until it changes. */
const searched = new WeakMap<readonly AnyTool[], SearchedTool[]>();

function deferredTools(all: readonly AnyTool[]): SearchedTool[] {
  const known = searched.get(all);
  if (known !== undefined) return known;
  const made = all
    .filter((tool) => tool.deferred === true)
    .map(({ name, searchText = '' }) => ({ name, text: searchText.toLowerCase() }));
  searched.set(all, made);
  return made;
}

export interface ToolSessionParts extends Pick<ToolSession, 'onNews'> {
  permission: (cwd: string) => PermissionContext;
  countUsage: (model: string, usage: Usage) => void;
  mode: () => PermissionMode;
  refusesTask: SessionTasks['refuses'];
}

export function createToolSession(
  options: SessionOptions,
  { permission, countUsage, onNews, mode, refusesTask }: ToolSessionParts,
): ToolSession {
  const { log, records, ports, environment, sandbox, smallModel: small = smallModel } = options;
  const now = (): PermissionContext => permission(session.cwd);
  const session: ToolSession = {
    id: log.id,
    cwd: lastSetting(records, 'cwd') ?? environment.cwd,
    get folders() {
      return environment.folders;
    },
    allowedFolders: () => now().folders,
    home: options.home,
    resultsDirectory: options.resultsDirectory,
    readState: readStateFromRecords(records),
    isHidden: hiddenNow(now),
    todos: () => todosFromRecords(records),
    questionTimeoutMs: () => options.questionTimeoutMs?.(),
    earlierSearches: searchesFromRecords(records),
    smallModel: createSmallModel(small, ports, (usage) => countUsage(small, usage)),
    onNews,
    ...(ports.terminal.shellNames === undefined ? {} : { shellNames: ports.terminal.shellNames }),
    writesUnread: () => options.writesUnread?.() === true,
    deferredTools: () => deferredTools(options.registry.all()),
    tasks: { list: () => tasksFromRecords(records), refuses: refusesTask },
    planning: {
      mode,
      directory: () =>
        plansDirectory({ setting: options.plansDirectory?.(), home: options.home, folders: environment.folders }),
    },
    ...(sandbox === undefined ? {} : { sandbox: createToolSandbox(sandbox, now) }),
  };
  return session;
}
