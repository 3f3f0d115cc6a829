// What hooks have a say in before the user sees it, as a feature.
import { type FeatureFactory } from '../../feature/session-feature';
import { hooks } from '../hooks/hooks-key';
import { createMessageDisplay } from './message-display';

export const displayFeature: FeatureFactory = ({ settings, writer, feature }) => ({
  name: 'display',
  reply: createMessageDisplay({
    emit: settings.emit,
    active: () => feature(hooks)?.displays === true,
    ask: async (text) => feature(hooks)?.displayed(text),
    write: (shown) => writer.write({ type: 'system', subtype: 'message_display', ...shown }),
  }),
});
