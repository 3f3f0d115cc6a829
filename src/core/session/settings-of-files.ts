// What settings files and environment variables say about a session, in the groups that it is opened with: the same in every host.
import { defined } from '../../shared/defined';
import { type SessionSettings } from '../feature/session-settings';
import { answerLanguage } from '../settings/answer-language';
import { commitAttribution } from '../settings/commit-attribution';
import { type RequestVariables } from '../settings/request-variables';
import { type SettingsValues } from '../settings/settings-keys';
import { thinkingChoices } from './chosen-effort';

/** `values`: as the files are now. */
export function settingsOfFiles(
  values: () => SettingsValues,
  variables: RequestVariables,
  appendedByHost?: string,
): Required<Pick<SessionSettings, 'requests' | 'turns' | 'tools'>> {
  const { maxOutputTokens, maxThinkingTokens, maxConcurrentTools, retry, toolSearch } = variables;
  const { mcpOutputTokens, mcpBackgroundMs, strictTools, withoutBackground } = variables;
  const { thinkingSummaries } = thinkingChoices(values());
  const appended = [appendedByHost, answerLanguage(values()), commitAttribution(values())].filter(
    (text) => text !== undefined,
  );
  return {
    requests: {
      toolSearch,
      strictTools,
      ...defined({ maxOutputTokens, maxThinkingTokens, thinkingSummaries }),
      ...(appended.length === 0 ? {} : { appendSystemPrompt: appended.join('\n\n') }),
      contextManagement: () => variables.contextManagement ?? 'default',
      autoCompact: () => ({
        enabled: values().autoCompactEnabled,
        window: variables.autoCompactWindow ?? values().autoCompactWindow,
      }),
    },
    turns: { retry, ...defined({ maxConcurrentTools }) },
    tools: {
      writesUnread: () => values().allowUnreadWrites === true,
      plansDirectory: () => values().plansDirectory,
      withoutBackground,
      ...defined({ mcpOutputTokens, mcpBackgroundMs }),
    },
  };
}
