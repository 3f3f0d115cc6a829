// Which model a chat's session continues with: picked by the user, or the fitting one of another provider.
import { type AgentSession } from '../../../core/feature/agent-session';
import { type AddNotice } from './chat-notices';
import { type ChatServices } from './chat-needs';
import { type EventPoster } from './event-poster';
import { modelReplaced } from './model-replaced';

interface ModelChat {
  readonly poster: Pick<EventPoster, 'state' | 'surroundingsChanged'>;
  session(): Promise<Pick<AgentSession, 'choices'>>;
  readonly notice: AddNotice;
}

type ModelServices = Pick<ChatServices, 'fitModel' | 'provider'>;

/** Names are typed by hand, too: the provider may know the model by another one, or not at all. */
export async function setChatModel(model: string, chat: ModelChat, services: ModelServices): Promise<void> {
  const { id, replaced } = await services.fitModel(model);
  (await chat.session()).choices.setModel(id);
  // The name on the button.
  chat.poster.surroundingsChanged();
  if (replaced) chat.notice('info', ...modelReplaced(model, id, services.provider()));
}

/** The provider was changed: continues with a model of the new one. */
export async function fitChatModel(chat: ModelChat, services: ModelServices): Promise<void> {
  const session = await chat.session();
  const before = session.choices.model;
  const { id, replaced } = await services.fitModel(before);
  if (id === before || session !== (await chat.session())) return;
  session.choices.setModel(id);
  chat.poster.surroundingsChanged();
  if (replaced && chat.poster.state.items.length > 0)
    chat.notice('info', ...modelReplaced(before, id, services.provider()));
}
