// Opens sessions on VS Code's ports: a new log or an existing one, with the rules that hold in this window.
import { defined } from '../../shared/defined';
import { setImmediate as nextTask } from 'node:timers/promises';
import { homeFolder } from '../../node/home-folder';
import { lastSetting } from '../../core/calls/permission-state';
import { openSession } from '../../core/session/open-session';
import { thinkingChoices } from '../../core/session/chosen-effort';
import { type Environment } from '../../core/text/environment-reminder';
import { mayUse } from '../../core/model/available-models';
import { smallModelOf } from '../../core/model/models';
import { type SessionLog, type SessionStore } from '../../core/ports/session-store';
import { openSandbox } from '../../core/sandbox/tool-sandbox';
import { foldInSlices } from '../../core/sessions/fold-slices';
import { type SessionRecord } from '../../core/ports/record';
import { keyNoteLines } from '../../core/settings/key-notes';
import { requestVariables } from '../../core/settings/request-variables';
import { portPath } from '../../node/files/port-path';
import { readConfiguration } from '../host/configuration';
import { initialModel, usualModel } from './initial-settings';
import { openWhenFree } from './open-when-free';
import { treeOfSession } from './session-tree';
import {
  type OpenedSession,
  type OpenSession,
  type SessionConnection,
  type SessionFactoryOptions,
} from './session-factory-options';
import { featuresOfSession, isOnDisk, portsOfSession, type SessionFacts, settingsOfSession } from './session-parts';
import { variablesNow } from './variables-now';

export function createSessionFactory(options: SessionFactoryOptions): OpenSession {
  const { store, rules, ports } = options;
  return async (id, connection) => {
    const opening: Promise<LogWithRecords | undefined> =
      id === undefined
        ? createSession(store, ports.uuid(), connection.copy)
        : openWhenFree(id, store, ports.clock, connection.takesOver === true ? 'taken-over' : 'unless-seen');
    try {
      const [environment, opened] = await Promise.all([options.environment(), opening, rules.load()]);
      return opened && (await begin(options, opened, environment, connection));
    } catch (error) {
      // Its lock would keep it from being opened again.
      await opening.then((opened) => opened?.log.close()).catch(() => undefined);
      throw error;
    }
  };
}

async function begin(
  options: SessionFactoryOptions,
  opened: LogWithRecords,
  environment: Environment,
  connection: SessionConnection,
): Promise<OpenedSession> {
  const { rules, ports, store } = options;
  const { log } = opened;
  const records = await foldInSlices(opened.records, { pause: nextTask, now: () => performance.now() });
  const sandbox = await openSandbox(isOnDisk() ? ports.sandbox : undefined, rules.values().sandbox);
  const { variables, problems } = requestVariables(variablesNow(rules));
  const effort = variables.effort ?? readConfiguration().effort ?? rules.values().effortLevel;
  for (const problem of [...problems, ...keyNoteLines(rules.notes())]) ports.log.warn(problem);
  const tree = await treeOfSession(records, environment, options);
  const resultsDirectory = portPath(store.resultsDirectory(log.id));
  const place = {
    environment: tree?.environment ?? environment,
    home: portPath(homeFolder()),
    resultsDirectory,
    ...defined({ worktree: tree?.view, project: tree === undefined ? undefined : environment.folders[0] }),
  };
  const wanted = lastSetting(records, 'model') ?? initialModel(rules, options.listedModel());
  const model = await options.fitModel(wanted, usualModel(options.listedModel()));
  const facts: SessionFacts = { log, records, connection, variables, sandbox, place, ...defined({ tree }) };
  const session = openSession(
    portsOfSession(options, facts),
    settingsOfSession(options, facts, {
      model: model.id,
      smallModel: smallModelOf(variablesNow(rules)),
      mayUse: (model) => mayUse(model, rules.values().availableModels, variablesNow(rules)),
      ...defined({ effort, fast: rules.values().fastMode, thinking: thinkingChoices(rules.values()).thinking }),
    }),
    featuresOfSession(options, facts),
  );
  return {
    session,
    resumed: records.length > 0,
    ...(model.replaced ? { replacedModel: wanted } : {}),
    ...defined({ restoredTree: tree?.restored === true ? tree.view : undefined }),
  };
}

interface LogWithRecords {
  log: SessionLog;
  records: SessionRecord[];
}

async function createSession(
  store: SessionStore,
  id: string,
  copy: SessionConnection['copy'],
): Promise<LogWithRecords> {
  const log = await store.create(id);
  const records = copy?.(id) ?? [];
  log.append(records);
  return { log, records };
}
