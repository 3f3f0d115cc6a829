// What the user should see of a call's dangers, in whatever shell it runs: decided here, for the approval and for what it may offer.
import { type CallRisk } from '../../shared/permission';
import { bashRisks, programRisks, type RiskPlace } from './bash/command-risks';
import { type CommandLine, type CommandLines } from './command-lines';
import { asShellWords, canonicalText } from './power-shell/power-shell-command';
import { powerShellFiles, type PowerShellLine } from './power-shell/power-shell-line';
import { isInsideAny } from './rules/workspace-path';
import { type PermissionTarget } from './rules/verdict';

/** So many are shown: the gravest. */
const maxShown = 5;

/** The gravest first, each once. */
export function callRisks(
  targets: readonly PermissionTarget[],
  lines: CommandLines,
  place: Omit<RiskPlace, 'cwd'>,
): CallRisk[] {
  const found = targets.flatMap((target): CallRisk[] => {
    if (target.kind !== 'command') return [];
    const line = lines.get(target.command);
    return line === undefined ? [] : lineRisks(line, { ...place, cwd: target.cwd });
  });
  const once = [...new Map(found.map((risk) => [risk.text, risk])).values()];
  return once.sort((a, b) => Number(b.grave === true) - Number(a.grave === true)).slice(0, maxShown);
}

function lineRisks(line: CommandLine, place: RiskPlace): CallRisk[] {
  return line.shell === 'Bash' ? bashRisks(line, place) : powerShellRisks(line, place);
}

function powerShellRisks(line: PowerShellLine, place: RiskPlace): CallRisk[] {
  const commands = line.lines.flatMap(({ parsed }) => (parsed.ok ? parsed.commands : []));
  const found = commands.flatMap((command): CallRisk[] => {
    const [name = '', ...args] = canonicalText(command.text).split(' ');
    if (name === 'remove-item') {
      const grave = args.some((word) => /^-(r|fo)/.test(word));
      return [{ kind: 'deletes', text: 'Deletes files', ...(grave ? { grave: true } : {}) }];
    }
    if (/^(invoke-webrequest|invoke-restmethod|start-bitstransfer|new-pssession|enter-pssession)$/.test(name))
      return [{ kind: 'network', text: 'Uses the network' }];
    return programRisks(asShellWords(command, name));
  });
  const outside = powerShellFiles(line, place.cwd, place.home)
    .filter(({ path }) => !isInsideAny(path, [...place.folders, ...place.ownFolders], place.ignoreCase))
    .map(({ access, path }): CallRisk => ({
      kind: 'outside',
      text: `${access === 'write' ? 'Writes' : 'Reads'} \`${path}\`, outside the workspace`,
    }));
  const unread: CallRisk[] =
    line.parsed.ok && line.complete ? [] : [{ kind: 'unread', text: 'Deft cannot read all of it' }];
  return [...found, ...outside, ...unread];
}
