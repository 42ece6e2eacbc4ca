import { words } from '../words.ts';
import type { KindColumns } from './columns.ts';

/** Names that only files of gift cards have. */
const GIFT_CARD_CODES = words(
  'gift card number, gift card code, gift card id, gift card, gift card no, giftcard number, giftcard code',
  'gift certificate, gift certificate number, gift certificate code, certificate code, certificate number',
  'gift voucher, gift voucher number, gift voucher code, voucher code, voucher number, gift code, Gutscheinnummer',
  'Gutscheincode, Gutschein-Nr., Gutschein Nr, Gutschein, Geschenkkartennummer, Geschenkkartencode, Geschenkkarte',
  'Geschenkgutschein, numéro de carte cadeau, code de carte cadeau, code carte cadeau, n° carte cadeau',
  'carte cadeau, numéro du bon cadeau, code du bon cadeau, bon cadeau, chèque cadeau, tarjeta regalo',
  'número de tarjeta regalo, código de tarjeta regalo, código de la tarjeta regalo, número de bono regalo',
  'bono regalo, código del bono regalo, carta regalo, numero carta regalo, codice carta regalo, buono regalo',
  'numero buono regalo, codice buono regalo, numero della carta regalo, codice della carta regalo, cadeaubon',
  'cadeaubonnummer, cadeauboncode, cadeaukaart, cadeaukaartnummer, cadeaukaartcode, cartão-presente',
  'número do cartão-presente, código do cartão-presente, cartão presente, vale-presente, número do vale-presente',
  'código do vale-presente, cartão-oferta, número do cartão-oferta, código do cartão-oferta, karta podarunkowa',
  'numer karty podarunkowej, kod karty podarunkowej, bon podarunkowy, numer bonu podarunkowego',
  'kod bonu podarunkowego, שובר מתנה, מספר שובר, מספר שובר מתנה, קוד שובר, קוד שובר מתנה, כרטיס מתנה',
  'מספר כרטיס מתנה, קוד כרטיס מתנה, גיפט קארד',
);
/** Names that other lists have too: beside a balance, they are those of a gift card. */
const CODES = words('code, Code, código, codice, kod, קוד');
/** Names that are the code only in a file that is known to be of gift cards. */
const NUMBERS = words(
  'card number, card code, card no, number, Nummer, Kartennummer, numéro, numéro de carte, número, número de tarjeta',
  'numero, numero carta, nummer, kaartnummer, número do cartão, numer, numer karty, מספר, מספר כרטיס',
);

const LEFT = words(
  'balance, remaining balance, remaining, remaining value, remaining amount, amount remaining, balance remaining',
  'current balance, current value, available balance, gift card balance, card balance, value remaining, left',
  'amount left, unused balance, outstanding balance, Restwert, Restguthaben, Restbetrag, Guthaben, Saldo',
  'verbleibender Wert, verbleibender Betrag, aktueller Wert, aktuelles Guthaben, solde, solde restant',
  'montant restant, valeur restante, solde actuel, solde disponible, saldo restante, saldo disponible, saldo actual',
  'importe restante, valor restante, saldo residuo, valore residuo, importo residuo, credito residuo, saldo attuale',
  'restwaarde, restbedrag, resterend saldo, resterend bedrag, huidig saldo, openstaand saldo, saldo atual',
  'saldo remanescente, pozostała kwota, pozostała wartość, pozostałe środki, saldo karty, aktualne saldo',
  'יתרה, יתרה נותרת, יתרת שובר, סכום נותר, ערך נותר, יתרה נוכחית',
);
/** Amounts of which nobody knows whether they are what is left or what the card was sold for. */
const EITHER = words(
  'amount, value, card value, gift card value, gift card amount, Betrag, Wert, Gutscheinwert, montant, valeur',
  'importe, valor, importo, valore, bedrag, waarde, kwota, wartość, סכום, ערך',
);

export const GIFT_CARDS: KindColumns = {
  needs: [['code'], ['balance']],
  asks: EITHER,
  shownBy: [...GIFT_CARD_CODES, ...CODES],
  decidedBy: GIFT_CARD_CODES,
  dates: ['bought_on', 'expires_on'],
  properties: {
    code: { plain: [...GIFT_CARD_CODES, ...CODES, ...NUMBERS] },
    balance: { plain: LEFT },
    original_value: {
      plain: words(
        'original value, original amount, original balance, initial value, initial amount, initial balance',
        'starting balance, starting value, face value, purchase amount, purchased amount, purchase price, price',
        'issued value, issued amount, Ursprungswert, ursprünglicher Wert, ursprünglicher Betrag, Nennwert, Kaufbetrag',
        'Anfangswert, Ausgabewert, valeur initiale, montant initial, valeur d’origine, montant d’achat, solde initial',
        'valor original, valor inicial, importe inicial, importe original, saldo inicial, valore iniziale',
        'importo iniziale, valore originale, importo originale, saldo iniziale, oorspronkelijke waarde',
        'oorspronkelijk bedrag, beginsaldo, aankoopbedrag, montante inicial, wartość początkowa',
        'kwota początkowa, wartość nominalna, ערך מקורי, סכום מקורי, סכום התחלתי, ערך נקוב',
      ),
    },
    currency: {
      plain: words('currency, currency code, Währung, devise, monnaie, moneda, divisa, valuta, moeda, waluta, מטבע'),
    },
    bought_on: {
      plain: words(
        'bought on, date bought, purchase date, purchased on, purchased at, date purchased, sold on, sale date',
        'date sold, sold date, issue date, issued on, date issued, issued, activation date, activated on, created',
        'created on, created at, date created, date, Kaufdatum, gekauft am, verkauft am, Verkaufsdatum',
        'ausgestellt am, Ausstellungsdatum, Datum, date d’achat, acheté le, date de vente, date d’émission, émis le',
        'fecha de compra, fecha de venta, fecha de emisión, comprado el, fecha, data di acquisto, data acquisto',
        'data di vendita, data di emissione, data, aankoopdatum, gekocht op, verkoopdatum, datum, uitgiftedatum',
        'data de compra, data de venda, data de emissão, data zakupu, data sprzedaży, data wydania, תאריך רכישה',
        'תאריך קנייה, תאריך הנפקה, תאריך',
      ),
    },
    expires_on: {
      plain: words(
        'expires on, expires, expires at, expiration date, expiry date, expiration, expiry, valid until, valid to',
        'redeem by, end date, Ablaufdatum, gültig bis, läuft ab am, Verfallsdatum, einlösbar bis, date d’expiration',
        'expire le, valable jusqu’au, expiration, fecha de caducidad, fecha de vencimiento, caduca el, vencimiento',
        'válido hasta, válida hasta, data di scadenza, scadenza, scade il, valido fino al, valida fino al',
        'vervaldatum, geldig tot, verloopt op, data de validade, validade, válido até, data ważności, ważny do',
        'ważna do, wygasa, בתוקף עד, תוקף, תאריך תפוגה, תפוגה',
      ),
    },
    recipient_name: {
      plain: words(
        'recipient, recipient name, recipient’s name, to, to name, gift recipient, Empfänger, Empfängerin',
        'Name des Empfängers, Empfängername, Beschenkte, destinataire, nom du destinataire, bénéficiaire',
        'nom du bénéficiaire, destinatario, nombre del destinatario, beneficiario, nome del destinatario',
        'nome destinatario, ontvanger, naam ontvanger, naam van de ontvanger, destinatário, nome do destinatário',
        'odbiorca, imię odbiorcy, nazwa odbiorcy, obdarowany, מקבל, שם המקבל, נמען, שם הנמען',
      ),
    },
    recipient_email: {
      plain: words(
        'recipient email, recipient email address, recipient’s email, to email, E-Mail des Empfängers',
        'Empfänger E-Mail, E-Mail Empfänger, e-mail du destinataire, courriel du destinataire, email destinataire',
        'correo del destinatario, email del destinatario, correo electrónico del destinatario, email destinatario',
        'e-mail del destinatario, e-mail ontvanger, e-mailadres ontvanger, e-mail van de ontvanger',
        'e-mail do destinatário, email do destinatário, e-mail odbiorcy, adres e-mail odbiorcy, אימייל המקבל',
        'אימייל של המקבל, אימייל הנמען, מייל המקבל',
      ),
    },
    status: {
      plain: words(
        'status, gift card status, card status, state, Gutscheinstatus, statut, état, estado, stato, stan, סטטוס, מצב',
      ),
    },
  },
};
