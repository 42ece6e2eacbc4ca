import type { KindColumns } from './columns.ts';

export const MEMBERSHIPS: KindColumns = {
  needs: [['membership'], ['customer_external_id', 'customer_email']],
  dates: ['start_date', 'expiration_date'],
  properties: {
    external_id: {
      plain: ['membership id', 'external id', 'id'],
      mindbody: ['Client Service ID', 'Sale ID'],
      teamup: ['Customer Membership ID'],
      momence: ['Bought Membership ID'],
      glofox: ['Subscription ID'],
    },
    customer_external_id: {
      plain: ['customer id', 'customer number', 'member number', 'Kundennummer', 'numéro client'],
      mindbody: ['Client ID', 'ClientID'],
      teamup: ['Customer ID'],
      momence: ['Member ID'],
      glofox: ['User ID', 'user_id'],
    },
    customer_email: {
      plain: ['email', 'email address', 'customer email', 'E-Mail-Adresse', 'adresse e-mail'],
      mindbody: ['Email'],
      teamup: ['Customer Email', 'Email'],
      momence: ['Customer email', 'Email'],
      glofox: ['email'],
    },
    membership: {
      plain: ['membership', 'membership name', 'pass', 'plan', 'Mitgliedschaft', 'abonnement', 'abonament'],
      mindbody: ['Pricing Option', 'Contract Name'],
      teamup: ['Membership Name', 'Membership'],
      momence: ['Membership name'],
      glofox: ['Membership Plan', 'Membership Name'],
    },
    start_date: {
      plain: ['start date', 'starts', 'valid from', 'Beginn', 'date de début'],
      mindbody: ['Activation Date', 'Active Date'],
      teamup: ['Start Date'],
      momence: ['Start date'],
      glofox: ['Membership Start Date'],
    },
    expiration_date: {
      plain: ['expiration date', 'expiry date', 'end date', 'expires', 'valid until', 'Ende', 'date de fin'],
      mindbody: ['Expiration Date', 'Exp. Date'],
      teamup: ['Expiration Date'],
      momence: ['End date'],
      glofox: ['Membership Expiry Date'],
    },
    uses_left: {
      plain: ['uses left', 'remaining', 'credits', 'classes left', 'Restguthaben', 'séances restantes'],
      mindbody: ['Sessions Remaining', 'Visits Remaining', 'Remaining'],
      teamup: ['Classes Remaining', 'Remaining Uses'],
      momence: ['Credits left', 'Events left'],
      glofox: ['Credits Remaining'],
    },
    price: {
      plain: ['price', 'amount', 'Preis', 'prix'],
      mindbody: ['Price', 'Payment Amount'],
      teamup: ['Price'],
      momence: ['Renewal price'],
      glofox: ['Price'],
    },
    status: {
      plain: ['status', 'membership status', 'state'],
      mindbody: ['Status'],
      teamup: ['Membership Status'],
      momence: ['Status'],
      glofox: ['Membership Status'],
    },
  },
};
