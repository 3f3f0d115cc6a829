// What /doctor says of the facts around a session: a sentence a finding.
import { type ProviderId } from '../../../core/wire/model-capabilities';
import { providerNames } from '../../../core/model/model-description';
import { type KeyNote, keyNoteLines } from '../../../core/settings/key-notes';
import { type SettingsProblem } from '../../../core/settings/settings-file';
import { hiddenFinding } from '../../../core/text/hidden-text';
import { type SkillList } from '../../../core/skills/skill';

export interface DoctorFacts {
  /** Set where no model can be asked yet. */
  missingSetup: ProviderId | undefined;
  refusedModel: string | undefined;
  /** The program's path. */
  ripgrep: string | undefined;
  trusted: boolean;
  /** How many wait for the user. */
  grants: number;
  /** Of variables that Deft reads. */
  variables: readonly string[];
  /** Variables that look like credentials. */
  hidden: readonly string[];
  settings: readonly SettingsProblem[];
  /** Keys of settings files that Deft does not read. */
  notes: readonly KeyNote[];
  /** Why no turn may start. */
  startRefusal: string | undefined;
  skills: SkillList['problems'];
  folders: number;
}

export function doctorFindings(facts: DoctorFacts): string[] {
  return [
    ...(facts.startRefusal === undefined ? [] : [facts.startRefusal]),
    ...(facts.missingSetup === undefined ? [] : [setupSentence(facts.missingSetup)]),
    ...(facts.refusedModel === undefined ? [] : [facts.refusedModel]),
    ...(facts.ripgrep === undefined
      ? ['ripgrep was not found: searches are slow or do not work. Install it, or repair VS Code, which includes it.']
      : []),
    ...(facts.trusted
      ? []
      : ['This workspace is not trusted: nothing is written, nothing runs, and what the project grants is ignored.']),
    ...(facts.grants === 0
      ? []
      : [`${facts.grants} grants of this project wait for your consent: run "Deft: Review Project Settings".`]),
    ...facts.variables,
    ...(facts.hidden.length === 0 ? [] : [hiddenFinding(facts.hidden)]),
    ...facts.settings.map(({ file, line, message }) => `${file}, line ${line}: ${message}`),
    ...keyNoteLines(facts.notes),
    ...facts.skills.filter(({ broken }) => broken).map(({ file, message }) => `${file}: ${message}`),
    ...(facts.folders === 0 ? ['No folder is open: Deft asks for each file.'] : []),
  ];
}

function setupSentence(provider: ProviderId): string {
  switch (provider) {
    case 'vscode':
      return 'VS Code offers no model that can call tools: sign in to the extension that provides them, or run "Deft: Select Provider".';
    case 'bedrock':
    case 'vertex':
    case 'foundry':
      return `${providerNames[provider]} has no location yet: "Deft: Select Provider" lists the variables.`;
    default:
      return 'There is no API key: run "Deft: Set API Key".';
  }
}
