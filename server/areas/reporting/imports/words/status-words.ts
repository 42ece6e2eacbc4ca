/**
 * The words for states that exports use, in the languages of the dashboard, by meaning. Only words whose meaning is
 * certain are here: every other word is a question to the person who imports the file. To add a word, add it here.
 * Words are compared without case, blanks and accents.
 */
import { readPlaces, readUses } from '../kinds/rules/uses.ts';
import { words } from '../words.ts';
import type { KindName } from '../columns/index.ts';

/** Words of each meaning of one property. */
export type Words = Readonly<Record<string, readonly string[]>>;

export interface WordProperty {
  /** meanings that a person can choose, in the order in which they are offered */
  readonly meanings: readonly string[];
  readonly words: Words;
  /** meaning of an empty cell; null: it is a question too */
  readonly empty: string | null;
  /** cells that are no words but values, which nobody is asked about */
  readonly isValue?: (text: string) => boolean;
}

const MEMBERSHIP_STATES: Words = {
  running: words(
    'active, activated, current, running, ongoing, valid, in good standing, aktiv, laufend, läuft',
    'gültig, actif, en cours, valide, valable, activo, activa, vigente, en curso, attivo, attiva',
    'in corso, valido, valida, actief, lopend, geldig, ativo, ativa, em curso, em vigor, válido, válida',
    'aktywny, aktywna, aktywne, ważny, ważna, w toku, פעיל, פעילה, בתוקף',
  ),
  paused: words(
    'on hold, hold, paused, pause, on pause, suspended, frozen, freeze, on freeze, pausiert, ruhend',
    'ruht, ausgesetzt, eingefroren, suspendu, suspendue, en pause, gelé, gelée, pausado, pausada',
    'en pausa, suspendido, suspendida, congelado, congelada, sospeso, sospesa, in pausa, congelato',
    'congelata, gepauzeerd, opgeschort, bevroren, in de wacht, em pausa, suspenso, suspensa, wstrzymany',
    'wstrzymana, zawieszony, zawieszona, zawieszone, zamrożony, zamrożona, מוקפא, מוקפאת, הקפאה, בהקפאה',
  ),
  ended: words(
    'ended, expired, cancelled, canceled, terminated, inactive, completed, finished, used up, beendet',
    'abgelaufen, inaktiv, aufgebraucht, storniert, expiré, expirée, terminé, terminée, résilié',
    'résiliée, annulé, annulée, inactif, caducado, caducada, vencido, vencida, terminado, cancelado',
    'cancelada, inactivo, inactiva, scaduto, scaduta, terminato, terminata, annullato, annullata',
    'inattivo, inattiva, verlopen, beëindigd, geannuleerd, inactief, expirado, expirada, terminada',
    'inativo, inativa, wygasły, wygasła, zakończony, zakończona, anulowany, anulowana, nieaktywny',
    'nieaktywna, הסתיים, הסתיימה, פג, פג תוקף, בוטל, בוטלה, לא פעיל, לא פעילה',
  ),
};

const BOOKING_STATES: Words = {
  booked: words(
    'booked, confirmed, registered, reserved, enrolled, signed up, signed in, checked in, attended',
    'present, gebucht, bestätigt, angemeldet, reserviert, eingecheckt, anwesend, réservé, réservée',
    'confirmé, confirmée, inscrit, inscrite, présent, présente, reservado, reservada, confirmado',
    'confirmada, inscrito, inscrita, presente, prenotato, prenotata, confermato, confermata, iscritto',
    'iscritta, geboekt, bevestigd, ingeschreven, aangemeld, gereserveerd, aanwezig, marcado, marcada',
    'zarezerwowany, zarezerwowana, potwierdzony, potwierdzona, zapisany, zapisana, obecny, obecna, הוזמן',
    'הוזמנה, רשום, רשומה, מאושר, מאושרת, נוכח, נוכחת, הגיע, הגיעה',
  ),
  waiting: words(
    'waitlist, waitlisted, wait listed, on waitlist, on wait list, on the waitlist, waiting list',
    'waiting, wait list, standby, warteliste, auf warteliste, auf der warteliste, wartend',
    "liste d'attente, sur liste d'attente, en liste d'attente, lista de espera, en lista de espera",
    "lista d'attesa, in lista d'attesa, wachtlijst, op wachtlijst, op de wachtlijst, em lista de espera",
    'na lista de espera, lista rezerwowa, na liście rezerwowej, lista oczekujących',
    'na liście oczekujących, רשימת המתנה, ברשימת המתנה, ברשימת ההמתנה, ממתין, ממתינה',
  ),
  left_out: words(
    'cancelled, canceled, cancel, late cancel, late cancelled, late canceled, late cancellation',
    'early cancel, early cancelled, cancelled late, no show, no showed, absent, missed, declined',
    'refunded, removed, unregistered, storniert, abgesagt, abgemeldet, nicht erschienen, abwesend',
    'annulé, annulée, absente, cancelado, cancelada, anulado, anulada, ausente, annullato, annullata',
    'cancellato, cancellata, assente, geannuleerd, afgemeld, afwezig, niet verschenen, faltou',
    'anulowany, anulowana, odwołany, odwołana, nieobecny, nieobecna, בוטל, בוטלה, ביטול מאוחר, לא הגיע',
    'לא הגיעה, נעדר, נעדרת',
  ),
};

/** A cancellation that doesn't say when it happened is left out: the customer may have cancelled in time. */
const VISIT_STATES: Words = {
  attended: words(
    'attended, present, checked in, signed in, visited, completed, came, showed, arrived, anwesend, eingecheckt',
    'erschienen, teilgenommen, war da, présent, présente, venu, venue, a participé, asistió, presente, acudió, ha asistido',
    'presente, ha partecipato, aanwezig, ingecheckt, presente, compareceu, participou, obecny, obecna, był, była',
    'נוכח, נוכחת, הגיע, הגיעה, השתתף, השתתפה',
  ),
  no_show: words(
    'no show, no showed, noshow, absent, missed, did not attend, did not show, nicht erschienen, abwesend, gefehlt',
    'absente, pas venu, pas venue, no se presentó, ausente, faltó, no asistió, assente, non presentato, non presentata',
    'afwezig, niet verschenen, niet gekomen, faltou, não compareceu, nieobecny, nieobecna',
    'לא הגיע, לא הגיעה, נעדר, נעדרת',
  ),
  late_cancelled: words(
    'late cancel, late cancelled, late canceled, late cancellation, cancelled late, canceled late, spät abgesagt',
    'spät storniert, zu spät abgesagt, annulé tard, annulation tardive, annulé tardivement, cancelación tardía',
    'cancelada tarde, cancelado tarde, cancellazione tardiva, annullato tardi, laat geannuleerd, te laat afgemeld',
    'cancelamento tardio, cancelado tardiamente, późna rezygnacja, odwołane za późno, ביטול מאוחר',
  ),
  left_out: words(
    'cancelled, canceled, cancel, early cancel, early cancelled, early canceled, cancelled early, waitlist, waitlisted',
    'deleted, removed, unregistered, storniert, abgesagt, abgemeldet, Warteliste, annulé, annulée, cancelado, cancelada',
    'anulado, anulada, annullato, annullata, cancellato, cancellata, geannuleerd, afgemeld, anulowany, anulowana',
    'odwołany, odwołana, בוטל, בוטלה',
  ),
};

const APPOINTMENT_STATES: Words = {
  booked: [...BOOKING_STATES.booked, ...words('scheduled, accepted, approved, new, geplant, planifié, programado')],
  left_out: [...BOOKING_STATES.left_out, ...words('rescheduled, rejected, deleted, verschoben, reporté')],
};

const CUSTOMER_STATES: Words = {
  customer: words(
    'active, current, client, customer, member, non member, inactive, former, former member, aktiv',
    'inaktiv, mitglied, kunde, kundin, ehemalig, actif, inactif, cliente, membre, adhérent, adhérente',
    'activo, activa, inactivo, inactiva, socio, socia, attivo, attiva, inattivo, inattiva, actief',
    'inactief, klant, lid, ativo, ativa, inativo, inativa, sócio, sócia, aktywny, aktywna, nieaktywny',
    'nieaktywna, klient, klientka, פעיל, פעילה, לא פעיל, לא פעילה, לקוח, לקוחה, מנוי, מנויה',
  ),
  lead: words(
    'lead, prospect, prospective, interessent, interessentin, interesado, interesada, cliente potencial',
    'cliente potenziale, potenziale, geïnteresseerde, interessado, interessada, zainteresowany',
    'zainteresowana, ליד, מתעניין, מתעניינת',
  ),
  left_out: words(
    'deleted, merged, duplicate, spam, gelöscht, supprimé, supprimée, eliminado, eliminada, eliminato',
    'eliminata, verwijderd, excluído, excluída, usunięty, usunięta, נמחק, נמחקה, כפול, כפולה',
  ),
};

const STAFF_STATES: Words = {
  working: words('active, current, employed, aktiv, actif, activo, activa, attivo, attiva').concat([
    'actief',
    'ativo',
    'ativa',
    'aktywny',
    'aktywna',
    'פעיל',
    'פעילה',
  ]),
  left_out: words(
    'inactive, former, terminated, deleted, archived, inaktiv, inactif, inactivo, inactiva, inattivo',
    'inattiva, inactief, inativo, inativa, nieaktywny, nieaktywna, לא פעיל, לא פעילה, לשעבר',
  ),
};

const GIFT_CARD_STATES: Words = {
  usable: words(
    'active, activated, valid, open, available, enabled, unused, not used, unredeemed, not redeemed, partially used',
    'partly used, partially redeemed, partly redeemed, aktiv, aktiviert, gültig, offen, nicht eingelöst, unbenutzt',
    'teilweise eingelöst, teileingelöst, actif, active, activée, valide, valable, non utilisé, non utilisée',
    'partiellement utilisé, partiellement utilisée, activo, activa, vigente, válido, válida, sin usar, no usada',
    'no canjeada, parcialmente usada, parcialmente canjeada, attivo, attiva, valido, valida, non utilizzato',
    'non utilizzata, parzialmente utilizzata, actief, geldig, ongebruikt, niet gebruikt, gedeeltelijk gebruikt',
    'ativo, ativa, não utilizado, não utilizada, parcialmente utilizado, aktywny, aktywna, ważny, ważna',
    'niewykorzystana, częściowo wykorzystana, פעיל, פעילה, בתוקף, לא מומש, מומש חלקית',
  ),
  left_out: words(
    'used, used up, fully used, redeemed, fully redeemed, spent, depleted, exhausted, empty, void, voided, cancelled',
    'canceled, refunded, expired, disabled, deactivated, deleted, invalid, eingelöst, vollständig eingelöst',
    'verbraucht, aufgebraucht, benutzt, storniert, erstattet, ungültig, abgelaufen, deaktiviert, gelöscht',
    'utilisé, utilisée, épuisé, épuisée, annulé, annulée, remboursé, remboursée, expiré, expirée, désactivé',
    'désactivée, supprimé, supprimée, usado, usada, canjeado, canjeada, agotado, agotada, anulado, anulada',
    'cancelado, cancelada, reembolsado, reembolsada, caducado, caducada, vencido, vencida, usato, usata',
    'utilizzato, utilizzata, riscattato, riscattata, esaurito, esaurita, annullato, annullata, rimborsato',
    'rimborsata, scaduto, scaduta, gebruikt, ingewisseld, verzilverd, verbruikt, geannuleerd, terugbetaald',
    'verlopen, ongeldig, utilizado, utilizada, resgatado, resgatada, esgotado, esgotada, expirado, expirada',
    'wykorzystany, wykorzystana, zrealizowany, zrealizowana, zużyty, zużyta, anulowany, anulowana, unieważniona',
    'zwrócona, wygasły, wygasła, מומש, מומשה, נוצל, נוצלה, בוטל, בוטלה, הוחזר, פג תוקף',
  ),
};

/** A number of uses in words: nobody knows whether it means what the membership here provides. */
const USES: WordProperty = {
  meanings: ['as_sold', 'none_left', 'left_out'],
  words: {},
  empty: 'as_sold',
  isValue: (text) => readUses(text) !== undefined,
};

/** A capacity in words, such as `unlimited`, is never guessed: it decides how many people get in. */
const CAPACITY: WordProperty = {
  meanings: ['no_limit', 'left_out'],
  words: {},
  empty: 'no_limit',
  isValue: (text) => readPlaces(text) !== undefined,
};

/** The properties of each kind whose words decide what becomes of a row. */
export const WORD_PROPERTIES: Readonly<Record<KindName, Readonly<Record<string, WordProperty>>>> = {
  customers: {
    status: { meanings: ['customer', 'lead', 'left_out'], words: CUSTOMER_STATES, empty: 'customer' },
  },
  memberships: {
    status: {
      meanings: ['running', 'ending', 'paused', 'ended', 'left_out'],
      words: MEMBERSHIP_STATES,
      empty: null,
    },
    uses_left: USES,
  },
  schedule: { max_occupancy: CAPACITY },
  staff: { status: { meanings: ['working', 'left_out'], words: STAFF_STATES, empty: 'working' } },
  bookings: { status: { meanings: ['booked', 'waiting', 'left_out'], words: BOOKING_STATES, empty: null } },
  // Exports of appointments leave the state of a normal one empty.
  appointments: { status: { meanings: ['booked', 'left_out'], words: APPOINTMENT_STATES, empty: 'booked' } },
  // A word for a booking, such as `booked`, doesn't say whether the customer came.
  visits: {
    status: {
      meanings: ['attended', 'no_show', 'late_cancelled', 'booked', 'left_out'],
      words: VISIT_STATES,
      empty: null,
    },
  },
  balances: {},
  // An empty state of a card is a question: the word decides about money.
  gift_cards: { status: { meanings: ['usable', 'left_out'], words: GIFT_CARD_STATES, empty: null } },
};

/** Every meaning that a word can have. */
export const MEANINGS: readonly string[] = [
  ...new Set(Object.values(WORD_PROPERTIES).flatMap((of) => Object.values(of).flatMap(({ meanings }) => meanings))),
];

/** Every property whose words have meanings. */
export const WORD_PROPERTY_NAMES: readonly string[] = [...new Set(Object.values(WORD_PROPERTIES).flatMap(Object.keys))];
