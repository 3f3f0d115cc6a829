// /output-style: chooses how the agent works and answers, for this project.
import * as vscode from 'vscode';
import { type OutputStyles } from '../../core/styles/find-styles';
import { type OutputStyle, styleNamed } from '../../core/styles/output-style';
import { type Chat } from '../chat/chat';
import { type RuleSource } from '../session/rule-source';

const sources = { 'built-in': 'Deft', managed: 'Organisation', personal: 'Personal', project: 'Project', plugin: 'Plugin' } as const;

export async function pickOutputStyle(chat: Pick<Chat, 'notice'>, name: string, styles: OutputStyles, rules: Pick<RuleSource, 'saveSetting'>): Promise<void> {
  const [{ styles: all, problems }, now] = await Promise.all([styles.list(), styles.current()]);
  const style = name === '' ? await pick(all, now) : styleNamed(all, name);
  if (style === undefined) {
    const wrong = problems.map(({ file, message }) => `${vscode.workspace.asRelativePath(file)}: ${message}`);
    if (name !== '') chat.notice('info', `There is no output style “${name}”.`, [`There are: ${all.map((one) => one.name).join(', ')}.`, ...wrong].join('\n'));
    return;
  }
  const problem = await save(style.name, rules);
  if (problem !== undefined) chat.notice('error', 'The output style was not changed.', problem);
  else chat.notice('info', `Output style: ${style.name}`, style.prompt === '' ? 'The agent works and answers in its own way again, from your next message on.' : `${style.description === '' ? '' : `${style.description}. `}It holds from your next message on.`);
}

async function pick(all: readonly OutputStyle[], now: OutputStyle): Promise<OutputStyle | undefined> {
  const items = all.map((style) => ({ label: style.name, description: `${sources[style.source]}${style.name === now.name ? ', in use' : ''}`, detail: style.description, style }));
  return (await vscode.window.showQuickPick(items, { title: 'Output style', placeHolder: 'How should the agent work and answer?', matchOnDetail: true }))?.style;
}

/** Where it is set now, so that the choice counts. A sentence where it could not be saved. */
async function save(name: string, rules: Pick<RuleSource, 'saveSetting'>): Promise<string | undefined> {
  const settings = vscode.workspace.getConfiguration('deft');
  const { workspaceValue = '', globalValue = '' } = settings.inspect<string>('outputStyle') ?? {};
  if (workspaceValue !== '' || globalValue !== '') {
    const target = workspaceValue === '' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
    return Promise.resolve(settings.update('outputStyle', name, target)).then(() => undefined, (error: unknown) => String(error));
  }
  const outcome = await rules.saveSetting('outputStyle', name);
  return outcome.saved ? undefined : outcome.message;
}
