// Ports for a test of something that has no business with most of them: a call of one that is not given fails the test.
import { type SmallModel } from '../../src/core/model/small-model';
import { type Ports } from '../../src/core/ports/ports';

export type GivenPorts = { [Port in Exclude<keyof Ports, 'uuid'>]?: Partial<Ports[Port]> } & { uuid?: () => string };

/** The given parts over ports whose every use throws; those that not every host has are missing unless given. */
export function unusedPorts(given: GivenPorts = {}): Ports {
  const unused = (name: string) => (): never => {
    throw new Error(`The test has no business with ${name}.`);
  };
  const port = <Name extends keyof Ports>(name: Name, methods: readonly string[]): Ports[Name] =>
    ({
      ...Object.fromEntries(methods.map((method) => [method, unused(`${name}.${method}`)])),
      ...given[name],
    }) as unknown as Ports[Name];
  const {
    web,
    languages,
    problems,
    tests,
    refactorings,
    questioner,
    notebooks,
    configuration,
    documents,
    repl,
    pages,
    mcp,
    uuid,
  } = given;
  return {
    files: port('files', ['stat', 'realPath', 'list', 'readBytes', 'readText', 'writeText', 'writeOwnFile']),
    search: port('search', ['grep', 'glob']),
    terminal: port('terminal', [
      'run',
      'background',
      'output',
      'moveToBackground',
      'stop',
      'onBackgroundEnd',
      'dispose',
    ]),
    approver: port('approver', ['ask']),
    diagnostics: port('diagnostics', ['current', 'newSince']),
    model: port('model', ['stream', 'countTokens', 'listModels']),
    sessions: port('sessions', ['create', 'open', 'list', 'remove', 'resultsDirectory']),
    clock: port('clock', ['now', 'sleep']),
    uuid: uuid ?? unused('uuid'),
    log: port('log', ['debug', 'info', 'warn', 'error']),
    ...({
      ...(web && { web }),
      ...(languages && { languages }),
      ...(problems && { problems }),
      ...(given.checks && { checks: given.checks }),
      ...(given.git && { git: given.git }),
      ...(tests && { tests }),
      ...(refactorings && { refactorings }),
      ...(given.debugger && { debugger: given.debugger }),
      ...(given.editorTasks && { editorTasks: given.editorTasks }),
      ...(questioner && { questioner }),
      ...(notebooks && { notebooks }),
      ...(configuration && { configuration }),
      ...(documents && { documents }),
      ...(repl && { repl }),
      ...(pages && { pages }),
      ...(mcp && { mcp }),
    } as Partial<Ports>),
  };
}

export const unusedSmallModel: SmallModel = {
  id: 'none',
  ask: () => {
    throw new Error('The test has no business with the small model.');
  },
};
