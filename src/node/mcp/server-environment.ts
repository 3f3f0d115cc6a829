// The environment of a server that is a process: the user's own without credentials, and what its entry adds.
import { defined } from '../../shared/defined';
import { CREDENTIAL_VARIABLES } from '../../core/text/credentials';
import { type McpServerEntry } from '../../core/ports/mcp';
import { visibleKey, withheldText } from '../../core/text/hidden-text';
import { namesVariable, withheldVariables } from '../../core/text/secret-variables';
import { cleanEnvironment } from '../terminal/command-environment';

/** What the entry itself spells out is the server's own, also under a name that Deft knows; a credential that was not put in is left out. */
export function serverEnvironment(
  environment: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>>,
  projectFolder: string | undefined,
  withheld: readonly string[] = [],
): NodeJS.ProcessEnv {
  const given = Object.entries(own).filter(
    ([, value]) => !CREDENTIAL_VARIABLES.some((name) => value.includes(`\${${name}}`)),
  );
  return {
    ...defined({ CLAUDE_PROJECT_DIR: projectFolder }),
    ...Object.fromEntries(Object.entries(cleanEnvironment(environment)).filter(([name]) => !withheld.includes(name))),
    ...Object.fromEntries(given),
  };
}

/** Names of the variables that look like credentials and that its entry does not name. `passed`: those that every server gets. */
export function withheldFromServer(
  environment: NodeJS.ProcessEnv,
  { written }: Pick<McpServerEntry, 'written'>,
  passed: readonly string[],
): string[] {
  return withheldVariables(environment, passed).filter((name) => !namesVariable(written, name));
}

/** Empty if there are none. */
export function withheldNote(withheld: readonly string[]): string {
  const [name] = withheld;
  if (name === undefined) return '';
  return withheldText(
    withheld,
    `a server gets only the credentials that its entry names. Pass one with "env": {"${name}": "\${${name}}"}, or to all with \`${visibleKey}\` in your settings.`,
  );
}
