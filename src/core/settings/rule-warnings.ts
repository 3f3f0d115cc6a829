// Rules that are understood but do less than they seem to: a sentence for the settings banner, or for /doctor.
import { type PermissionRule } from '../../shared/permission';
import { mayRunByOption } from '../permissions/bash/program-options';
import { interpreterName, isFd, isInterpreter, opaqueRunners } from '../permissions/bash/runners';
import { wrapperNames } from '../permissions/bash/shell-wrappers';
import { allowPattern, commandPattern } from '../permissions/rules/command-pattern';
import { canonicalToolName, formatRule, isBare, olderToolNames } from '../permissions/rules/rule-syntax';
import { bashParameter, neverMatched } from '../permissions/rules/tool-rules';

/** Why the rule can match nothing, or names what there is not. */
export function ruleWarning(rule: PermissionRule): string | undefined {
  const name = canonicalToolName(rule.value.toolName);
  const text = `\`${formatRule(rule.value)}\``;
  if (name.includes('*')) {
    return rule.behavior !== 'allow' || /^mcp__[^*]+?__/.test(name)
      ? conditionProblem(rule, name, text)
      : `${text} is ignored: an allow rule must name the tool, or an MCP server followed by \`*\`.`;
  }
  if (!name.includes('_') && !knownTools.has(name)) return `${text} names a tool that Deft does not have.`;
  return isBare(rule.value) ? undefined : conditionProblem(rule, name, text);
}

/** Includes tools that this version lacks: users' files name them. */
const knownTools = new Set([...Object.keys(olderToolNames), 'MultiEdit', 'Cd', 'Monitor']);

function conditionProblem(rule: PermissionRule, name: string, text: string): string | undefined {
  if (isBare(rule.value)) return undefined;
  const content = rule.value.ruleContent ?? '';
  const never = (why: string): string => `${text} never matches: ${why}`;
  const allows = rule.behavior === 'allow';
  const instead = (toolName: string): string => `\`${formatRule({ ...rule.value, toolName })}\``;
  const governing = governingTool(name, allows);
  if (governing !== undefined) return never(`write ${instead(governing)}, which also applies to ${name}.`);
  switch (name) {
    case 'Bash':
    case 'PowerShell': {
      if (/^[\w./-]+:\* /.test(content))
        return `${text} matches a colon: \`:*\` means any arguments only at the end of a rule. Write \` *\` instead.`;
      const why = commandProblem(content, name, allows);
      return why && never(why);
    }
    case 'Read':
    case 'Edit':
      return content.startsWith('!') ? never('a path rule cannot be negated.') : undefined;
    case 'WebFetch':
    case 'Page':
      return /^https?:/i.test(content) || (allows && !content.startsWith('domain:'))
        ? never(`write \`${name}(domain:…)\` with the name of the host.`)
        : undefined;
    default: {
      const why = allows ? allowProblem(name, content) : undefined;
      return why && never(why);
    }
  }
}

/** They are matched by a name. */
const namedTools = new Set(['Agent', 'Skill', 'Cd', 'RunCells', 'RunTask']);

/** Why no allow rule of this tool can have the condition. */
function allowProblem(name: string, content: string): string | undefined {
  if (namedTools.has(name)) return undefined;
  if (name !== 'Debug') return `an allow rule for ${name} takes no condition: write \`${name}\`.`;
  return /^(?:program|configuration|expression):/.test(content)
    ? undefined
    : 'write `Debug(program:…)`, `Debug(configuration:…)` or `Debug(expression:…)`.';
}

/** The tool whose path rules count for this one, where it has none of its own. */
function governingTool(name: string, allows: boolean): string | undefined {
  const searches = name === 'Glob' || (allows && (name === 'Grep' || name === 'LSP'));
  return searches ? 'Read' : neverMatched.has(name) ? 'Edit' : undefined;
}

/** Why no command matches the text, as the rest of a sentence. */
function commandProblem(content: string, tool: 'Bash' | 'PowerShell', allows: boolean): string | undefined {
  if (allows && tool === 'Bash' && bashParameter.test(content) && !/^timeout:\s*\*$/.test(content))
    return 'only deny and ask rules can name a parameter.';
  if (content.startsWith(' ') || (commandPattern(content).exact && content.endsWith(' ')))
    return 'it begins or ends with a blank.';
  if (!allows || tool !== 'Bash' || commandPattern(content).exact) return undefined;
  const bare = content.replace(/'[^']*'|"(?:\\.|[^"\\])*"|\\./gs, '_');
  if (/[;|&<>\n]/.test(bare))
    return 'a rule with `*` is compared with each command of a line by itself, without redirections. Write a rule for each.';
  if (/\S {2,}\S/.test(bare)) return 'words are compared with one blank between them.';
  const { fixedWords } = allowPattern(content).pattern;
  const [first = ''] = fixedWords;
  const name = first.slice(first.lastIndexOf('/') + 1);
  if (wrapperNames.has(name) && fixedWords.length === 1)
    return `Deft looks behind \`${name}\`. Write a rule for the command that it runs.`;
  if (opaqueRunners.has(name)) return `\`${name}\` runs another program, which only a rule without \`*\` can allow.`;
  if (finds(name) && fixedWords.some((word) => /^--?(exec|execdir|ok|okdir|delete|exec-batch)$/.test(word)))
    return 'what `find` runs or deletes can only be allowed by a rule without `*`.';
  return undefined;
}

/** What an allow rule does not cover although its text matches: it is in docs/permissions.md, and not everybody expects it. */
export function ruleNote({ behavior, value }: PermissionRule): string | undefined {
  if (behavior !== 'allow' || canonicalToolName(value.toolName) !== 'Bash' || isBare(value)) return undefined;
  const { pattern } = allowPattern(value.ruleContent ?? '');
  const [first = '', ...others] = pattern.fixedWords;
  if (pattern.exact || first === '') return undefined;
  const name = first.slice(first.lastIndexOf('/') + 1);
  const left = [...(others.length === 0 ? leftOutByName(name) : []), ...leftOut(name)];
  return left.length === 0
    ? undefined
    : `\`${formatRule(value)}\` does not cover ${left.join(', nor ')}. Deft asks about that, or needs a rule that says so.`;
}

function leftOutByName(name: string): string[] {
  if (name === 'git') return ['what can lose work (`push --force`, `reset --hard` …)', '`git -c` and `git -C`'];
  if (/^g?sed$/.test(name)) return ['scripts that run commands or touch other files'];
  if (/^(g?env|busybox|toybox)$/.test(name)) return ['the programs that it runs'];
  return isInterpreter(interpreterName(name)) || ['eval', 'source', '.'].includes(name)
    ? ['code that a substitution or a variable fills in']
    : [];
}

function leftOut(name: string): string[] {
  if (finds(name)) return ['`-exec`, `-delete` and other actions'];
  if (isInterpreter(interpreterName(name))) return ['code from a pipe'];
  return mayRunByOption(name) ? ['options that make it run another program'] : [];
}

function finds(name: string): boolean {
  return name === 'find' || isFd(name);
}
