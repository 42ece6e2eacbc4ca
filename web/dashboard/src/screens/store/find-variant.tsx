/** Finds a store item by its name, article number or barcode. */
import { useState } from 'react';
import { amountOf } from '../../words/times.ts';
import { Combobox, type Choice } from '../../ui/combobox.tsx';
import { useCall } from '../../app/calls.ts';
import { useDeferred } from '../../app/deferred.ts';

export interface FoundVariant extends Choice {
  readonly id: number;
}

export interface FindVariantProps {
  readonly label: string;
  /** id of the input, whose `<label>` is next to it */
  readonly id: string;
  readonly onChoose: (variant: FoundVariant) => void;
}

const MAX_ROWS = 8;

export function FindVariant({ label, id, onChoose }: FindVariantProps) {
  const [text, setText] = useState('');
  const wanted = useDeferred(text.trim());
  const { data, error, isFetching } = useCall(
    'GET /store/product_variants',
    {
      query: { query: wanted.slice(0, 200), for_sale: true, page_size: MAX_ROWS },
      fields: ['id', 'name', 'price'],
    },
    { enabled: wanted !== '', keep: true },
  );
  const choices = wanted === '' ? [] : (data?.results ?? []);
  return (
    <Combobox
      id={id}
      label={label}
      text={text}
      onText={setText}
      error={wanted === '' ? null : error}
      busy={wanted !== text.trim() || isFetching}
      choices={choices.map((one) => ({
        key: String(one.id),
        id: one.id,
        label: one.name,
        more: amountOf(one.price),
      }))}
      onChoose={(variant) => {
        setText('');
        onChoose(variant);
      }}
    />
  );
}
