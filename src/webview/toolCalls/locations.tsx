import type { VNode } from 'preact';
import { literalLine } from '../../shared/literal';
import type { DrawnToolCall, DrawnToolContent } from '../../shared/transcript/drawn';
import { Icon } from '../parts/icon';
import { useMany } from '../parts/many';
import { useEntryIndex, useTranscript } from '../state/context';

interface LocationsProps {
  readonly call: DrawnToolCall;
}

/** TO-6: the files that a call touches, except those that are shown with their changes. */
export function Locations({ call }: LocationsProps): VNode | null {
  const { post } = useTranscript();
  const index = useEntryIndex();
  const changed = new Set(call.content.flatMap(changedIn));
  const chips = call.locations.filter((place) => !changed.has(place.path));
  const [shown, more] = useMany(chips);
  if (chips.length === 0) {
    return null;
  }
  return (
    <div class="chips">
      {shown.map((place) => (
        <button
          key={place.index}
          type="button"
          class="chip"
          title={literalLine(place.path)}
          onClick={() => post({ type: 'openLocation', index, location: place.index })}
        >
          <Icon name="go-to-file" />
          <span>{literalLine(place.label)}</span>
        </button>
      ))}
      {more}
    </div>
  );
}

function changedIn(content: DrawnToolContent): readonly (string | undefined)[] {
  switch (content.type) {
    case 'diff':
      return [content.path];
    case 'fileChange':
      return [content.path, content.oldPath];
    default:
      return [];
  }
}
