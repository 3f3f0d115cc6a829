// What the user chooses in a session, its model first of all: kept in the log, so that a resumed session has it too.
import { type RecordWriter } from '../events/record-writer';
import { type SessionChoices } from '../feature/session-parts';
import { type SessionSettings } from '../feature/session-settings';
import { lastSetting } from '../calls/permission-state';
import { type ModelClient } from '../ports/model';
import { type SettingName } from '../ports/record';
import { type Effort } from '../wire/wire';
import { chosenEffort, chosenThinking, noEffort } from './chosen-effort';

/** As it was last chosen; undefined leaves the effort to the model. */
export interface Chosen {
  model: string;
  effort: Effort | undefined;
  fast: boolean;
  thinking: boolean;
}

export function initiallyChosen({ choices, records }: SessionSettings): Chosen {
  return {
    model: choices.model,
    effort: chosenEffort(records, choices.effort),
    fast: (lastSetting(records, 'speed') ?? (choices.fast === true ? 'fast' : 'normal')) === 'fast',
    thinking: chosenThinking(records, choices.thinking),
  };
}

export interface ChoiceServices {
  model: ModelClient;
  writer: RecordWriter;
  onModelChange: () => void;
}

export function createSessionChoices(
  chosen: Chosen,
  { model: client, writer, onModelChange }: ChoiceServices,
): SessionChoices {
  const keep = (name: SettingName, value: string): void =>
    void writer.write({ type: 'system', subtype: 'setting', name, value });
  return {
    get model() {
      return chosen.model;
    },
    get can() {
      return client.capabilities(chosen.model);
    },
    get effort() {
      return chosen.effort;
    },
    get thinking() {
      return chosen.thinking;
    },
    get fast() {
      return chosen.fast;
    },
    setModel(model) {
      chosen.model = model;
      onModelChange();
      keep('model', model);
    },
    setEffort(effort) {
      chosen.effort = effort;
      keep('effort', effort ?? noEffort);
    },
    setThinking(thinking) {
      chosen.thinking = thinking;
      keep('thinking', thinking ? 'on' : 'off');
    },
    setFast(fast) {
      chosen.fast = fast;
      keep('speed', fast ? 'fast' : 'normal');
    },
  };
}
