// What a hook inherits of the user's environment: no variable that looks like a credential, unless the hook names it.
import { defined } from '../../shared/defined';
import { type HookCommand } from '../../core/ports/hook-handlers';
import { scriptPaths } from '../../core/hooks/hook-scripts';
import { namesVariable, withheldVariables } from '../../core/text/secret-variables';
import { readRegularFile } from '../files/regular-file';

/** Longer scripts are not looked at. */
const maxScriptBytes = 1024 * 1024;

/** Programs that do one thing, and read what authorises them from variables that their documentation names. */
const programs: Readonly<Record<string, RegExp>> = {
  gh: /^(?:GH|GITHUB)_(?:ENTERPRISE_)?TOKEN$/,
  glab: /^(?:GITLAB_TOKEN|GITLAB_ACCESS_TOKEN|OAUTH_TOKEN)$/,
  aws: /^AWS_/,
  psql: /^(?:PGPASSWORD|DATABASE_URL)$/,
  mysql: /^MYSQL_PWD$/,
  vault: /^VAULT_TOKEN$/,
};

/** Names of variables that the hook does not get. `passed`: those that every hook gets. */
export async function withheldFromHook(
  hook: HookCommand,
  environment: NodeJS.ProcessEnv,
  passed: readonly string[],
): Promise<string[]> {
  const secret = withheldVariables(environment, [...passed, ...(hook.passes ?? []), ...Object.keys(hook.variables)]);
  if (secret.length === 0) return [];
  const text = [hook.command, ...(hook.args ?? []), ...(await scriptTexts(hook, environment))].join('\n');
  const read = Object.entries(programs).flatMap(([program, names]) =>
    new RegExp(`(?:^|[\\s;&|(\`'"/])${program}(?:\\.exe)?\\s`, 'm').test(text) ? [names] : [],
  );
  return secret.filter((name) => !namesVariable(text, name) && !read.some((names) => names.test(name)));
}

async function scriptTexts({ command, args, cwd, variables }: HookCommand, environment: NodeJS.ProcessEnv) {
  const known: NodeJS.ProcessEnv = { ...environment, ...variables };
  const put = (text: string): string =>
    text
      .replace(/\$(?:\{(HOME|CLAUDE_PLUGIN_ROOT)\}|(HOME|CLAUDE_PLUGIN_ROOT)\b)/g, (whole, braced, plain) =>
        String(known[String(braced ?? plain)] ?? whole),
      )
      .replace(/(^|[\s"'])~\//g, (_whole, before: string) => `${before}${known['HOME'] ?? '~'}/`);
  const handler = {
    type: 'command' as const,
    command: put(command),
    ...defined({ args: args?.map(put) }),
  };
  const paths = scriptPaths(handler, { folder: cwd, project: variables['CLAUDE_PROJECT_DIR'] ?? cwd });
  const read = await Promise.all(paths.map((path) => readRegularFile(path, maxScriptBytes)));
  return read.flatMap((one) => (one.outcome === 'refused' ? [] : [new TextDecoder().decode(one.bytes)]));
}
