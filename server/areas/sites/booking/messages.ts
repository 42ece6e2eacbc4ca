/** What the booking site says, in every language. `en.json` is the source. */
import de from './messages/de.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import fr from './messages/fr.json' with { type: 'json' };
import it from './messages/it.json' with { type: 'json' };
import nl from './messages/nl.json' with { type: 'json' };
import pl from './messages/pl.json' with { type: 'json' };
import pt from './messages/pt.json' with { type: 'json' };
import { Catalog, type Say as SayOf } from '../../../kernel/languages/catalog.ts';

export type Key = keyof typeof en;
export type Say = SayOf<Key>;

export const CATALOG = new Catalog<Key>({ en, de, fr, es, nl, it, pt, pl });
