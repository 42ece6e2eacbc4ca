import { words } from '../words.ts';
import { CUSTOMERS } from './customers.ts';
import type { KindColumns } from './columns.ts';

const FIRST_NAMES = CUSTOMERS.properties.first_name.plain;
const LAST_NAMES = CUSTOMERS.properties.last_name.plain;
const WHOLE_NAMES = [...CUSTOMERS.properties.name.plain, 'customer'];

export const MEMBERSHIPS: KindColumns = {
  needs: [['membership'], ['customer_external_id', 'customer_email', 'customer_name', 'customer_last_name']],
  dates: ['start_date', 'expiration_date', 'next_renewal'],
  properties: {
    external_id: {
      plain: words(
        'membership id, external id, id, contract id, contract number, Vertragsnummer, numéro de contrat',
        'contractnummer, מזהה, מזהה מנוי, מספר מנוי',
      ),
      mindbody: ['Client Service ID', 'Sale ID'],
      teamup: ['Customer Membership ID'],
      momence: ['Bought Membership ID'],
      glofox: ['Subscription ID'],
    },
    customer_external_id: {
      plain: words(
        'customer id, customer number, member number, Kundennummer, numéro client, client id, member id',
        'person id, user id, Mitgliedsnummer, Mitglieds-Nr., Kunden-Nr., n° adhérent, numéro adhérent',
        'n° client, número de socio, número de cliente, id cliente, klantnummer, lidnummer, número de sócio',
        'numer klienta, מזהה לקוח, מספר לקוח',
      ),
      mindbody: ['Client ID', 'ClientID'],
      teamup: ['Customer ID'],
      momence: ['Member ID'],
      glofox: ['User ID', 'user_id'],
    },
    customer_email: {
      plain: words(
        'email, email address, customer email, E-Mail-Adresse, adresse e-mail, member email, client email',
        'E-Mail, courriel, correo electrónico, correo, indirizzo email, e-mailadres, endereço de e-mail',
        'adres e-mail, אימייל, מייל, דוא״ל, כתובת אימייל',
      ),
      mindbody: ['Email'],
      teamup: ['Customer Email', 'Email'],
      momence: ['Customer email', 'Email'],
      glofox: ['email'],
    },
    customer_first_name: { plain: FIRST_NAMES },
    customer_last_name: { plain: LAST_NAMES },
    customer_name: { plain: WHOLE_NAMES },
    membership: {
      plain: words(
        'membership, membership name, pass, plan, Mitgliedschaft, abonnement, abonament, membership plan',
        'membership type, package, contract, contract name, pricing option, Tarif, Vertrag, Abo',
        'Beitragsgruppe, formule, forfait, tarifa, abono, bono, plan contratado, abbonamento, tariffa',
        'lidmaatschap, plano, karnet, produkt, מנוי, שם המנוי, כרטיסייה, סוג מנוי',
      ),
      mindbody: ['Pricing Option', 'Contract Name'],
      teamup: ['Membership Name', 'Membership'],
      momence: ['Membership name'],
      glofox: ['Membership Plan', 'Membership Name'],
    },
    start_date: {
      plain: words(
        'start date, starts, valid from, Beginn, date de début, begin date, start, active since',
        'activation date, member since, Vertragsbeginn, Startdatum, Gültig ab, début, date début',
        'début du contrat, fecha de inicio, inicio, data inizio, inizio, data di inizio, begindatum',
        'ingangsdatum, data de início, início, data rozpoczęcia, początek, ważny od, תאריך התחלה, התחלה',
        'בתוקף מ',
      ),
      mindbody: ['Activation Date', 'Active Date'],
      teamup: ['Start Date'],
      momence: ['Start date'],
      glofox: ['Membership Start Date'],
    },
    expiration_date: {
      plain: words(
        'expiration date, expiry date, end date, expires, valid until, Ende, date de fin, expiration',
        'expires on, end, Vertragsende, Enddatum, Ablaufdatum, Gültig bis, fin, date fin, fin du contrat',
        'fecha de fin, fecha de vencimiento, vencimiento, data fine, scadenza, data di scadenza, einddatum',
        'data de fim, validade, data zakończenia, koniec, ważny do, תאריך סיום, תאריך תפוגה, סיום, תפוגה',
        'בתוקף עד',
      ),
      mindbody: ['Expiration Date', 'Exp. Date'],
      teamup: ['Expiration Date'],
      momence: ['End date'],
      glofox: ['Membership Expiry Date'],
    },
    next_renewal: {
      plain: words(
        'next renewal, next renewal date, renewal date, next billing date, next bill date, next payment',
        'next payment date, next charge, nächste Abbuchung, nächste Zahlung, nächste Rechnung',
        'prochain prélèvement, prochaine échéance, próximo pago, próximo cobro, prossimo pagamento',
        'prossimo rinnovo, volgende betaling, volgende incasso, próximo pagamento, próxima cobrança',
        'następna płatność, data odnowienia, חידוש הבא, חיוב הבא, תשלום הבא, תאריך חידוש',
      ),
    },
    uses_left: {
      plain: words(
        'uses left, remaining, credits, classes left, Restguthaben, séances restantes, sessions remaining',
        'visits remaining, classes remaining, credits left, Restbesuche, Resteinheiten, Restkarten',
        'crédits restants, sesiones restantes, clases restantes, ingressi residui, lezioni rimanenti',
        'resterende lessen, resterende credits, aulas restantes, pozostałe wejścia, pozostało wejść',
        'כניסות שנותרו, יתרת כניסות, שיעורים שנותרו',
      ),
      mindbody: ['Sessions Remaining', 'Visits Remaining', 'Remaining'],
      teamup: ['Classes Remaining', 'Remaining Uses'],
      momence: ['Credits left', 'Events left'],
      glofox: ['Credits Remaining'],
    },
    price: {
      plain: words(
        'price, amount, Preis, prix, monthly fee, monthly price, fee, rate, Monatsbeitrag, Beitrag',
        'tarif mensuel, montant, cotisation, precio, cuota, cuota mensual, importe, prezzo, quota',
        'quota mensile, importo, prijs, bedrag, contributie, preço, mensalidade, valor, cena, kwota, opłata',
        'מחיר, סכום, דמי מנוי',
      ),
      mindbody: ['Price', 'Payment Amount'],
      teamup: ['Price'],
      momence: ['Renewal price'],
      glofox: ['Price'],
    },
    billing_period: {
      plain: words(
        'billing period, billing frequency, billing cycle, billing interval, payment frequency, billing',
        'Zahlweise, Zahlungsrhythmus, Abrechnungszeitraum, périodicité, fréquence, periodicidad',
        'periodicità, betaaltermijn, periodicidade, okres rozliczeniowy, תקופת חיוב, תדירות חיוב',
      ),
    },
    status: {
      plain: words(
        'status, membership status, state, contract status, Vertragsstatus, statut, estado, stato, stan, סטטוס',
        'סטטוס מנוי',
      ),
      mindbody: ['Status'],
      teamup: ['Membership Status'],
      momence: ['Status'],
      glofox: ['Membership Status'],
    },
  },
};
