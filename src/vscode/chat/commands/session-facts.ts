// /status, /todos and /doctor: how this session stands, and what Deft finds wrong around it.
import * as vscode from 'vscode';
import { type ProviderId } from '../../../core/model/capabilities';
import { providerNames } from '../../../core/model/model-description';
import { modelLabel } from '../../../core/model/models';
import { findRipgrep } from '../../../node/ripgrep-path';
import { refusedInitialModel } from '../../session/initial-settings';
import { workspaceFolders } from '../../session/workspace-facts';
import { type Chat } from '../chat';
import { type PanelWindow } from './panel-window';

export async function statusText(chat: Chat, { version, rules, model }: PanelWindow): Promise<string> {
  const session = await chat.session();
  const files = [...new Set(rules.current().rules.flatMap(({ file }) => file ?? []))];
  const account = model.demo ? 'the demo, no account' : (await model.needsSetup()) ? (model.provider === 'vscode' ? 'no model yet' : 'no key yet') : 'set up';
  return [
    `Deft ${version} in VS Code ${vscode.version}`,
    `Model: ${modelLabel(session.model)} (${session.model}) from ${providerNames[model.provider]}; ${account}`,
    ...(model.provider === 'vscode' ? ['Usage: VS Code tells none. Tokens are estimated, and your plan with the model\'s vendor pays, so that no cost is known.'] : []),
    `Mode: ${session.mode}`,
    `Session: ${session.id}`,
    `Folders: ${workspaceFolders().map(({ path }) => path).join(', ') || 'none'}${vscode.workspace.isTrusted ? '' : ' (not trusted)'}`,
    `Settings files with rules: ${files.join(', ') || 'none'}`,
  ].join('\n');
}

export async function todosText(chat: Chat): Promise<string> {
  const marks = { pending: '☐', in_progress: '▸', completed: '☑' } as const;
  const todos = (await chat.session()).surroundings.todos();
  return todos.length === 0 ? 'The agent keeps no list of tasks now.' : todos.map(({ content, status }) => `${marks[status]} ${content}`).join('\n');
}

/** A sentence a finding. */
export async function findings(chat: Chat, { rules, skills, model }: PanelWindow): Promise<string[]> {
  const session = await chat.session();
  const [list, ripgrep, needsSetup] = await Promise.all([
    skills(),
    findRipgrep({ appRoot: vscode.env.appRoot, searchPath: process.env['PATH'] }).then(() => true, () => false),
    model.needsSetup(),
  ]);
  const grants = rules.newGrants().length;
  return [
    ...(needsSetup ? [setupSentence(model.provider)] : []),
    ...[refusedInitialModel(rules)].filter((sentence) => sentence !== undefined),
    ...(ripgrep ? [] : ['ripgrep was not found: searches are slow or do not work. Install it, or repair VS Code, which brings it along.']),
    ...(vscode.workspace.isTrusted ? [] : ['This workspace is not trusted: nothing is written, nothing runs, and what the project says is inert.']),
    ...(grants === 0 ? [] : [`${grants} grants of this project wait for your consent: run "Deft: Review Project Settings".`]),
    ...rules.problems().map(({ file, line, message }) => `${file}, line ${line}: ${message}`),
    ...list.problems.filter(({ broken }) => broken).map(({ file, message }) => `${file}: ${message}`),
    ...(session.surroundings.folders.length === 0 ? ['No folder is open: each file asks.'] : []),
  ];
}

function setupSentence(provider: ProviderId): string {
  switch (provider) {
    case 'vscode':
      return 'VS Code offers no model that can call tools: sign in to the extension that brings them, or run "Deft: Select Provider".';
    case 'bedrock':
    case 'vertex':
    case 'foundry':
      return `${providerNames[provider]} needs to know where it is: "Deft: Select Provider" names the variables.`;
    default:
      return 'There is no API key: run "Deft: Set API Key".';
  }
}
