// What /help, /permissions, /skills and /doctor show: pages to read, in an editor.
import * as vscode from 'vscode';
import { formatRule } from '../../core/permissions/rules/rule-syntax';
import { type SkillList, skillSources } from '../../core/skills/skill';
import { type AnyTool } from '../../core/tool/tool';
import { type Access, accessWords, type PermissionRule } from '../../shared/permission';
import { type SlashCommand } from '../../shared/answers';

const scheme = 'deft-page';
const texts = new Map<string, string>();
const changed = new vscode.EventEmitter<vscode.Uri>();
let registration: vscode.Disposable | undefined;

/** Next to the chat; shown anew where it is open. */
export async function showPage(name: string, text: string): Promise<void> {
  registration ??= vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => texts.get(uri.path) ?? '',
  });
  const uri = vscode.Uri.from({ scheme, path: `/${name}.md` });
  texts.set(uri.path, text);
  changed.fire(uri);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
}

export function helpPage(commands: readonly SlashCommand[]): string {
  const groups = [...new Set(commands.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const lines = commands
      .filter((command) => command.group === group)
      .map(
        ({ name, argumentHint, description }) =>
          `- \`/${name}${argumentHint === undefined ? '' : ` ${argumentHint}`}\` ${description}`,
      );
    return [`## ${group}`, '', ...lines].join('\n');
  });
  return `${['# Commands', 'Type / in the composer. Type @ for files.', ...sections].join('\n\n')}\n`;
}

export function skillsPage({ skills, problems }: SkillList): string {
  const lines = skillSources.flatMap((source) => {
    const own = skills.filter((skill) => skill.source === source);
    if (own.length === 0) return [];
    const described = own.map(({ name, description, file, forModel, forUser }) => {
      const who = forModel && forUser ? '' : forModel ? ' (for the model alone)' : ' (for you alone)';
      return `- \`${name}\`${who}: ${description}${file === '' ? '' : `\n  - ${file}`}`;
    });
    return [`## ${sourceNames[source]}`, '', ...described, ''];
  });
  const wrong = problems.map(
    ({ file, message, broken }) => `- ${broken ? 'Not used' : 'Used, but'}: ${file}: ${message}`,
  );
  return `${['# Skills and commands', '', ...(skills.length === 0 ? ['There are none.', ''] : lines), ...(wrong.length === 0 ? [] : ['## Problems', '', ...wrong])].join('\n').trimEnd()}\n`;
}

export const sourceNames = {
  managed: 'Organisation',
  personal: 'Personal',
  project: 'Project',
  plugin: 'Plugin',
  bundled: 'Deft',
} as const;

export function permissionsPage(
  rules: readonly PermissionRule[],
  mode: string,
  tools: readonly Pick<AnyTool, 'name' | 'access'>[],
): string {
  const sections = (['deny', 'ask', 'allow'] as const).map((behavior) => {
    const own = rules
      .filter((rule) => rule.behavior === behavior)
      .map((rule) => `- \`${formatRule(rule.value)}\` (${rule.file ?? 'this session'})`);
    return [`## ${behavior}`, '', ...(own.length === 0 ? ['None.'] : own)].join('\n');
  });
  const tiers = (Object.keys(accessWords) as Access[]).flatMap((access) => {
    const names = tools.filter((tool) => tool.access === access).map(({ name }) => `\`${name}\``);
    return names.length === 0 ? [] : [`- ${accessWords[access]}: ${names.join(', ')}`];
  });
  const order = `The mode is ${mode}. Deny rules come first, then ask, then allow.`;
  const offered = ['## tools', 'What each tool may do at most, whatever the rules say:', tiers.join('\n')];
  return `${['# Permission rules', order, ...sections, ...offered].join('\n\n')}\n`;
}
