// The scripted model takes nothing but the conversation.
import { capabilitiesOf } from './capabilities';

export const demoModelId = 'deft-demo';

export const demoCapabilities = capabilitiesOf('demo', demoModelId);
