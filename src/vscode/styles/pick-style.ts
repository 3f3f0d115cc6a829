// /output-style: chooses how the agent works and answers, for this project.
import * as vscode from 'vscode';
import { type OutputStyles } from '../../core/styles/find-styles';
import { type OutputStyle, styleNamed } from '../../core/styles/output-style';
import { type Chat } from '../chat/conversation/chat';
import { type RuleSource } from '../session/rule-source';
import { saveStyle, type StyleSetting } from './save-style';

const sources = {
  'built-in': 'Deft',
  managed: 'Organisation',
  personal: 'Personal',
  project: 'Project',
  plugin: 'Plugin',
} as const;

export async function pickOutputStyle(
  chat: Pick<Chat, 'notice'>,
  name: string,
  styles: OutputStyles,
  rules: Pick<RuleSource, 'saveSetting' | 'values'>,
): Promise<void> {
  const [{ styles: all, problems }, now] = await Promise.all([styles.list(), styles.current()]);
  const style = name === '' ? await pick(all, now) : styleNamed(all, name);
  if (style === undefined) {
    const wrong = problems.map(({ file, message }) => `${vscode.workspace.asRelativePath(file)}: ${message}`);
    if (name !== '')
      chat.notice(
        'info',
        `There is no output style “${name}”.`,
        [`There are: ${all.map((one) => one.name).join(', ')}.`, ...wrong].join('\n'),
      );
    return;
  }
  const problem = await saveStyle(style, { styles, rules, setting, trusted: vscode.workspace.isTrusted });
  if (problem !== undefined) chat.notice('warning', 'The output style is unchanged.', problem);
  else
    chat.notice(
      'info',
      `Output style: ${style.name}`,
      style.prompt === ''
        ? 'The agent works and answers in its own way again, from your next message on.'
        : `${style.description === '' ? '' : `${style.description}. `}It holds from your next message on.`,
    );
}

async function pick(all: readonly OutputStyle[], now: OutputStyle): Promise<OutputStyle | undefined> {
  const items = all.map((style) => ({
    label: style.name,
    description: `${sources[style.source]}${style.name === now.name ? ', in use' : ''}`,
    detail: style.description,
    style,
  }));
  return (
    await vscode.window.showQuickPick(items, {
      title: 'Output style',
      placeHolder: 'How should the agent work and answer?',
      matchOnDetail: true,
    })
  )?.style;
}

const setting: StyleSetting = {
  values() {
    const { workspaceValue = '', globalValue = '' } =
      vscode.workspace.getConfiguration('deft').inspect<string>('outputStyle') ?? {};
    return { workspace: workspaceValue, global: globalValue };
  },
  update: (name, target) =>
    vscode.workspace
      .getConfiguration('deft')
      .update(
        'outputStyle',
        name,
        target === 'global' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace,
      ),
};
