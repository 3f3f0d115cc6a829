// The environment of a server that is a process: the user's own without credentials, and what its entry adds.
import { defined } from '../../shared/defined';
import { CREDENTIAL_VARIABLES } from '../../core/text/credentials';
import { cleanEnvironment } from '../terminal/command-environment';

/** What the entry itself spells out is the server's own, also under a name that Deft knows; a credential that was not put in is left out. */
export function serverEnvironment(
  environment: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>>,
  projectFolder: string | undefined,
): NodeJS.ProcessEnv {
  const given = Object.entries(own).filter(
    ([, value]) => !CREDENTIAL_VARIABLES.some((name) => value.includes(`\${${name}}`)),
  );
  return {
    ...defined({ CLAUDE_PROJECT_DIR: projectFolder }),
    ...cleanEnvironment(environment),
    ...Object.fromEntries(given),
  };
}
