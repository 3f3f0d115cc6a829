// /status, /todos and /doctor: how this session stands, and what Deft finds wrong around it.
import * as vscode from 'vscode';
import { providerNames } from '../../../core/model/model-description';
import { modelLabel } from '../../../core/model/models';
import { variableProblems } from '../../../core/settings/variable-problems';
import { findRipgrep } from '../../../node/search/ripgrep-path';
import { refusedInitialModel } from '../../session/initial-settings';
import { workspaceFolders } from '../../host/workspace-facts';
import { type Chat } from '../conversation/chat';
import { doctorFindings } from '../commands/doctor-findings';
import { type PanelWindow } from './panel-window';
import { startRefusal } from '../../session/start-refusal';
import { variablesNow } from '../../session/variables-now';

export async function statusText(chat: Chat, { version, rules, model }: PanelWindow): Promise<string> {
  const session = await chat.session();
  const files = [...new Set(rules.current().rules.flatMap(({ file }) => file ?? []))];
  const account = model.demo
    ? 'the demo, no account'
    : (await model.needsSetup())
      ? model.provider === 'vscode'
        ? 'no model yet'
        : 'no key yet'
      : 'set up';
  return [
    `Deft ${version} in VS Code ${vscode.version}`,
    `Model: ${modelLabel(session.choices.model)} (${session.choices.model}) from ${providerNames[model.provider]}; ${account}`,
    ...(model.provider === 'vscode'
      ? [
          "Usage: VS Code reports none. Tokens are estimated. Your plan with the model's vendor pays, so the cost is unknown.",
        ]
      : []),
    `Mode: ${session.permission.mode}`,
    `Session: ${session.id}`,
    `Folders: ${
      workspaceFolders()
        .map(({ path }) => path)
        .join(', ') || 'none'
    }${vscode.workspace.isTrusted ? '' : ' (not trusted)'}`,
    `Settings files with rules: ${files.join(', ') || 'none'}`,
  ].join('\n');
}

export async function todosText(chat: Chat): Promise<string> {
  const marks = { pending: '☐', in_progress: '▸', completed: '☑' } as const;
  const todos = (await chat.session()).surroundings.todos();
  return todos.length === 0
    ? 'The agent has no task list.'
    : todos.map(({ content, status }) => `${marks[status]} ${content}`).join('\n');
}

/** A sentence a finding. */
export async function findings(chat: Chat, { rules, skills, model }: PanelWindow): Promise<string[]> {
  const session = await chat.session();
  const [list, ripgrep, needsSetup] = await Promise.all([
    skills(),
    findRipgrep({ appRoot: vscode.env.appRoot, searchPath: process.env['PATH'] }),
    model.needsSetup(),
  ]);
  return doctorFindings({
    missingSetup: needsSetup ? model.provider : undefined,
    refusedModel: refusedInitialModel(rules),
    ripgrep,
    trusted: vscode.workspace.isTrusted,
    grants: rules.grants.unasked().length,
    variables: variableProblems(variablesNow(rules)),
    hidden: [...new Set(model.secrets().flatMap((secret) => (typeof secret === 'string' ? [] : [secret.name])))],
    settings: rules.problems(),
    notes: rules.notes(),
    startRefusal: startRefusal(rules),
    skills: list.problems,
    folders: session.surroundings.folders.length,
  });
}
