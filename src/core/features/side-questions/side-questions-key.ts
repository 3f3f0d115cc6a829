// The key by which others find the side questions of a session. It imports types alone, so that naming it loads nothing.
import { featureKey } from '../../feature/feature-key';
import { type SideQuestions } from './side-questions';

export const sideQuestions = featureKey<SideQuestions>('side-questions');
