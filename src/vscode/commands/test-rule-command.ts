// "Test a Permission Rule": asks for a rule and a call, and shows what the rule would do in a document to read.
import * as vscode from 'vscode';
import { homeFolder } from '../../node/home-folder';
import { permissionCall, resolveTargets } from '../../core/calls/resolve-targets';
import { readRule, ruleTestReport, triedRule } from '../../core/calls/rule-test-report';
import { formatRule } from '../../core/permissions/rules/rule-syntax';
import { type PermissionCall, type PermissionContext } from '../../core/permissions/rules/verdict';
import { type FileSystem } from '../../core/ports/files';
import { type ToolRegistry } from '../../core/tools/registry';
import { ruleWarning } from '../../core/settings/rule-warnings';
import { portPath } from '../../node/files/port-path';
import { type PermissionMode, type RuleBehavior } from '../../shared/permission';
import { type ChatHost } from '../chat/chat-host';
import { type RuleSource } from '../session/rule-source';
import { initialMode } from '../session/initial-settings';
import { workspaceFolders } from '../host/workspace-facts';
import { ruleTestUri } from './rule-test-files';

export interface TestRuleServices {
  rules: RuleSource;
  /** The mode that the user picked last in this workspace. */
  lastMode: () => PermissionMode | undefined;
  registry: () => Promise<ToolRegistry>;
  files: FileSystem;
  current: () => ChatHost | undefined;
}

/** What is left out is asked for. `text`: the command, path or address. */
export interface TestRuleInput {
  rule?: string;
  behavior?: RuleBehavior;
  call?: { tool: string; text: string } | 'session';
}

const title = 'Test a Permission Rule';

export async function testRule(services: TestRuleServices, input: TestRuleInput = {}): Promise<void> {
  const text = input.rule ?? (await askRule());
  const read = text === undefined ? undefined : readRule(text);
  if (read === undefined) return;
  if ('problem' in read) return void vscode.window.showErrorMessage(`Deft: ${read.problem}`);
  const behavior = input.behavior ?? (await askBehavior(formatRule(read.value)));
  if (behavior === undefined) return;
  const situation = await situationOf(services);
  const wanted = input.call ?? (await askCall(situation.past.length));
  if (wanted === undefined) return;
  const calls = wanted === 'session' ? situation.past : await typedCall(wanted, situation.context, services);
  const rule = triedRule(read.value, behavior, situation.context.folders[0] ?? situation.context.home);
  const uri = ruleTestUri(ruleTestReport(rule, calls, situation.context));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
}

function askRule(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: `${title} (1 of 3)`,
    prompt: 'A rule as in a settings file',
    placeHolder: 'Bash(git push:*)',
    ignoreFocusOut: true,
    validateInput: (text) => {
      const read = readRule(text);
      if ('problem' in read) return text.trim() === '' ? undefined : read.problem;
      // Which of them only concern allow rules is not known yet.
      const message = ruleWarning(triedRule(read.value, 'deny', '/'));
      return message === undefined ? undefined : { message, severity: vscode.InputBoxValidationSeverity.Warning };
    },
  });
}

async function askBehavior(rule: string): Promise<RuleBehavior | undefined> {
  const items: (vscode.QuickPickItem & { behavior: RuleBehavior })[] = [
    { label: 'Allow', description: 'runs without asking', behavior: 'allow' },
    { label: 'Ask', description: 'asks, even if a rule allows it', behavior: 'ask' },
    { label: 'Deny', description: 'never runs', behavior: 'deny' },
  ];
  return (
    await vscode.window.showQuickPick(items, {
      title: `${title} (2 of 3)`,
      placeHolder: `What should ${rule} do?`,
      ignoreFocusOut: true,
    })
  )?.behavior;
}

/** Each with the words that its input is asked for with, and an example. */
const inputs: Record<string, { field: string; prompt: string; example: string }> = {
  Bash: { field: 'command', prompt: 'The command', example: 'git push && npm test' },
  PowerShell: { field: 'command', prompt: 'The command', example: 'Get-ChildItem src' },
  Edit: { field: 'file_path', prompt: 'The file', example: 'src/index.ts' },
  Write: { field: 'file_path', prompt: 'The file', example: 'docs/new.md' },
  Read: { field: 'file_path', prompt: 'The file', example: '~/.ssh/config' },
  WebFetch: { field: 'url', prompt: 'The address', example: 'https://example.com/' },
};

async function askCall(past: number): Promise<TestRuleInput['call'] | undefined> {
  const session = past === 0 ? [] : [{ label: 'Calls of this session', description: String(past), tool: undefined }];
  const tools = Object.entries(inputs).map(([tool, { example }]) => ({ label: tool, description: example, tool }));
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { tool: string | undefined }>(
    [...session, ...tools],
    {
      title: `${title} (3 of 3)`,
      placeHolder: 'Try it on which call?',
      ignoreFocusOut: true,
    },
  );
  if (picked === undefined) return undefined;
  const { tool } = picked;
  const asked = tool === undefined ? undefined : inputs[tool];
  if (tool === undefined || asked === undefined) return 'session';
  const text = await vscode.window.showInputBox({
    title: `${title}: ${tool}`,
    prompt: asked.prompt,
    value: asked.example,
    ignoreFocusOut: true,
  });
  return text === undefined || text.trim() === '' ? undefined : { tool, text };
}

/** The session's own rules, mode and calls where a chat is open; else those that a new one would begin with. */
async function situationOf({
  rules,
  current,
  lastMode,
}: TestRuleServices): Promise<{ context: PermissionContext; past: PermissionCall[] }> {
  const chat = current()?.chat;
  if (chat !== undefined) {
    const session = await chat.session();
    return {
      context: session.permission.now(),
      past: (await session.permission.decisions.calls()).map(({ call }) => call),
    };
  }
  await rules.load();
  const home = portPath(homeFolder());
  const context: PermissionContext = {
    ...rules.current(),
    mode: initialMode(rules, lastMode()),
    ownFolders: [],
    cwd: workspaceFolders()[0]?.path ?? home,
    home,
    ignoreCase: process.platform === 'win32' || process.platform === 'darwin',
    trusted: vscode.workspace.isTrusted,
  };
  return { context, past: [] };
}

async function typedCall(
  { tool: name, text }: { tool: string; text: string },
  context: PermissionContext,
  { registry, files }: TestRuleServices,
): Promise<PermissionCall[]> {
  const tool = (await registry()).find(name);
  if (tool === undefined) return [{ tool: name, access: 'DangerFullAccess', readOnly: false, targets: [] }];
  const field = inputs[tool.name]?.field;
  const value = field === 'file_path' ? text.trim().replace(/^~(?=\/|$)/, context.home) : text;
  const input = field === undefined ? {} : { [field]: value };
  const resolved = await resolveTargets(tool, input, context, files);
  return [permissionCall(tool, input, resolved)];
}
