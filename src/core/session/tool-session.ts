// What tools see of a session, as it is opened.
import { defined } from '../../shared/defined';
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
import { type Ports } from '../ports/ports';
import { type SessionSettings } from '../feature/session-settings';
import { type ToolOffer } from '../tools/tool-offer';

const searched = new WeakMap<AnyTool, SearchedTool>();

function searchedTool(tool: AnyTool): SearchedTool {
  const { name, seldom = '', searchText = seldom } = tool;
  const made = searched.get(tool) ?? { name, text: searchText.toLowerCase() };
  searched.set(tool, made);
  return made;
}

export interface ToolSessionServices extends Pick<ToolSession, 'onArrival'> {
  settings: SessionSettings;
  ports: Ports;
  offer: ToolOffer;
  /** Where the session stands now; the records that it writes say so too. */
  at: { cwd: string };
  permission: (cwd: string) => PermissionContext;
  countUsage: (model: string, usage: Usage) => void;
  mode: () => PermissionMode;
  refusesTask: SessionTasks['refuses'];
}

export function createToolSession(services: ToolSessionServices): ToolSession {
  const { settings, ports, offer, at, permission, onArrival, mode } = services;
  const { log, records, place, tools = {} } = settings;
  const { environment, home, resultsDirectory } = place;
  const { sandbox } = tools;
  const { choices } = settings;
  const usual = choices.smallModel ?? smallModel;
  const small = choices.mayUse?.(usual) === false ? choices.model : usual;
  const now = (): PermissionContext => permission(at.cwd);
  return {
    id: log.id,
    get cwd() {
      return at.cwd;
    },
    set cwd(cwd) {
      at.cwd = cwd;
    },
    get folders() {
      return environment.folders;
    },
    allowedFolders: () => now().folders,
    home,
    resultsDirectory,
    readState: readStateFromRecords(records),
    isHidden: hiddenNow(now),
    todos: () => todosFromRecords(records),
    questionTimeoutMs: () => tools.questionTimeoutMs?.(),
    earlierSearches: searchesFromRecords(records),
    smallModel: createSmallModel(small, ports, (usage) => services.countUsage(small, usage)),
    onArrival,
    ...defined({ shellNames: ports.terminal.shellNames }),
    writesUnread: () => tools.writesUnread?.() === true,
    offers: offer.offers,
    deferredTools: () => offer.tools().filter(offer.isDeferred).map(searchedTool),
    tasks: { list: () => tasksFromRecords(records), refuses: services.refusesTask },
    planning: {
      mode,
      directory: () => plansDirectory({ setting: tools.plansDirectory?.(), home, folders: environment.folders }),
    },
    ...defined({ sandbox: sandbox && createToolSandbox(sandbox, now) }),
  };
}
