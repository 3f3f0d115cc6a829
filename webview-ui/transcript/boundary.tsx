// Keeps a fault in drawing one entry to that entry: the rest of the conversation stays, and its text can still be read.
import { Component, type ComponentChildren } from 'preact';
import { reportError } from '../host/report-errors';

export interface BoundaryProps {
  /** Shown where the children can't be drawn. */
  text: string;
  children: ComponentChildren;
}

interface BoundaryState {
  /** The text with which drawing failed: another text is tried again. */
  failed?: string;
}

export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = {};

  override componentDidCatch(error: unknown): void {
    reportError('An entry of the conversation could not be drawn', error);
    this.setState({ failed: this.props.text });
  }

  override render({ text, children }: BoundaryProps, { failed }: BoundaryState): ComponentChildren {
    if (failed !== text) return children;
    return (
      <div class="undrawn">
        <p class="quiet">This message could not be displayed with its formatting.</p>
        <pre>{text}</pre>
      </div>
    );
  }
}
