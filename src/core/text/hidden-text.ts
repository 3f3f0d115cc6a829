// What is said about environment variables that look like credentials: their values are hidden, or a process does not get them.

/** In the user's own settings: the values of these may be seen by everybody. */
export const visibleKey = 'visibleVariables';

/** To the model, after a result that holds marks in place of values. */
export function hiddenText(names: readonly string[]): string {
  const one = names.length === 1;
  return `Deft hides the value${one ? '' : 's'} of ${listed(names)}, which look${one ? 's' : ''} like ${one ? 'a credential' : 'credentials'}, from you and from the log. Commands get the real value${one ? '' : 's'}. If you must see ${one ? 'it' : 'one'}, ask the user to add its name to \`${visibleKey}\` in ~/.claude/settings.json.`;
}

/** To the user who asks what is wrong. */
export function hiddenFinding(names: readonly string[]): string {
  return `The model does not see the values of ${listed(names)}, and hooks and MCP servers get them only if they name them, since they look like credentials. To change that, add a name to \`${visibleKey}\` in ~/.claude/settings.json.`;
}

/** To the user, where a hook or a server failed that may have needed one. */
export function withheldText(names: readonly string[], howToPass: string): string {
  return `Deft did not pass it ${listed(names)}: ${howToPass}`;
}

const mostListed = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, names.length > mostListed + 1 ? mostListed : names.length).map((name) => `\`${name}\``);
  const more = names.length - shown.length;
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}
