// What a refusal says of a line with several commands: which of them were refused, and which would run by themselves.
import { commandFiles } from './bash/command-scope';
import { withHiddenCommands } from './bash/hidden-commands';
import { type BashLine } from './bash/bash-line';
import { movesFolder, type SimpleCommand } from './bash/simple-command';
import { type CommandLines } from './command-lines';
import { shortened } from './rules/rule-syntax';
import { type PermissionCall, type PermissionContext } from './rules/verdict';

/** Undefined where the line has one command, or where no command by itself is what was refused. */
export function refusedParts(
  call: PermissionCall,
  { cwd, home }: Pick<PermissionContext, 'cwd' | 'home'>,
  lines: CommandLines,
  isAllowed: (part: PermissionCall, itsLine: CommandLines) => boolean,
): string | undefined {
  const [target] = call.targets;
  if (target?.kind !== 'command') return undefined;
  const line = lines.get(target.command);
  if (line?.shell !== 'Bash' || !line.parsed.ok || line.plain.length < 2 || line.plain.length > maxParts)
    return undefined;
  const refused = new Set<string>();
  const free = new Set<string>();
  for (const command of line.plain) {
    const part = partOf(command);
    const named = new Set(commandFiles(part, target.cwd ?? cwd, home).map(({ path }) => path));
    const targets = call.targets.filter((one) => one.kind === 'file' && named.has(one.path));
    // What the host says of the whole line, it says of no part.
    const { doubts: _ofLine, means: _alsoOfLine, unclear: _too, ...place } = target;
    const allowed = isAllowed(
      { ...call, targets: [{ ...place, command: part.text }, ...targets] },
      new Map([[part.text, part]]),
    );
    if (!allowed) refused.add(part.text);
    else if (!movesFolder(command.words)) free.add(part.text);
  }
  if (refused.size === 0) return undefined;
  const others = [...free].filter((text) => !refused.has(text));
  const rest =
    others.length === 0 ? '' : `; ${listed(others)} would run by ${others.length > 1 ? 'themselves' : 'itself'}`;
  return `Of this line, ${listed([...refused])} ${refused.size > 1 ? 'were' : 'was'} refused${rest}.`;
}

const maxParts = 12;

/** The command as a line of its own, in the folder and with the redirections that it has in its line. */
function partOf(command: SimpleCommand): BashLine {
  const into = command.redirections.flatMap((one) =>
    one.kind === 'text' ? [] : [`${one.kind === 'write' ? '>' : '<'} ${one.target.text}`],
  );
  const text = [command.text, ...into].filter((one) => one !== '').join(' ');
  const commands = [command];
  return { shell: 'Bash', text, parsed: { ok: true, commands }, plain: commands, all: withHiddenCommands(commands) };
}

function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, maxShown).map((text) => `\`${shortened(text)}\``);
  if (texts.length > maxShown) shown.push(`${texts.length - maxShown} more`);
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}

const maxShown = 4;
