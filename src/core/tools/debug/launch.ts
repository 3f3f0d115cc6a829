// What start would start: a configuration of launch.json as it stands there, or one that Deft makes for a file.
import { basename, extname } from 'pathe';
import { type DebugConfiguration, type Debugger } from '../../ports/debugger';
import { type ToolContext, type ToolFailure } from '../../tool/tool';
import { fail } from '../../tool/file-failure';
import { filePath } from '../files/file-path';
import { type DebugInput } from './debug-input';

const node: Readonly<Record<string, unknown>> = {
  outputCapture: 'std',
  skipFiles: ['<node_internals>/**'],
};
const python: Readonly<Record<string, unknown>> = { redirectOutput: true };

interface Language {
  type: string;
  values: Readonly<Record<string, unknown>>;
}
const javaScript: Language = { type: 'node', values: node };
const languages: Readonly<Record<string, Language>> = {
  '.js': javaScript,
  '.mjs': javaScript,
  '.cjs': javaScript,
  '.ts': javaScript,
  '.mts': javaScript,
  '.cts': javaScript,
  '.py': { type: 'debugpy', values: python },
};

export async function launchOf(
  input: DebugInput,
  { session, ports }: ToolContext,
  debuggers: Debugger,
): Promise<DebugConfiguration | ToolFailure> {
  const { program, configuration } = input;
  if (configuration !== undefined) return named(configuration, debuggers);
  if (program === undefined || program.trim() === '')
    return fail('nothing-to-start', `start needs a program or a configuration. ${listText(debuggers)}`);
  const path = filePath(program, session.cwd);
  const found = await ports.files.stat(path);
  if (found?.type !== 'file') return fail('not-found', `${path} is no file. ${listText(debuggers)}`);
  const language = languages[extname(path).toLowerCase()];
  if (language === undefined)
    return fail('no-debugger', `Deft knows no debugger for ${basename(path)}. ${listText(debuggers)}`);
  if (!debuggers.types().includes(language.type))
    return fail(
      'no-debugger',
      `No extension of this window debugs ${basename(path)} (type "${language.type}"). Tell the user which one is missing.`,
    );
  const name = `Deft: ${basename(path)}`;
  return {
    name,
    type: language.type,
    request: 'launch',
    values: {
      type: language.type,
      request: 'launch',
      name,
      program: path,
      ...(input.args === undefined ? {} : { args: input.args }),
      cwd: session.cwd,
      console: 'internalConsole',
      internalConsoleOptions: 'neverOpen',
      ...language.values,
    },
  };
}

function named(name: string, debuggers: Debugger): DebugConfiguration | ToolFailure {
  const [found, ...others] = debuggers.configurations().filter((one) => one.name === name);
  if (found === undefined)
    return fail('no-configuration', `There is no configuration "${name}". ${listText(debuggers)}`);
  return others.length === 0
    ? found
    : fail('ambiguous', `${others.length + 1} folders have a configuration "${name}". Start its program instead.`);
}

const maxListed = 20;

function listText(debuggers: Debugger): string {
  const all = debuggers.configurations();
  if (all.length === 0) return 'launch.json has no configurations.';
  const listed = all.slice(0, maxListed).map(({ name, type }) => `"${name}" (${type})`);
  const more = all.length > maxListed ? ` and ${all.length - maxListed} more` : '';
  return `launch.json has ${listed.join(', ')}${more}.`;
}
