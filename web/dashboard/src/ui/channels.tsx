/** A table of notices with a checkbox for each channel. */

export const CHANNELS = ['email', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];

export interface NoticeRow {
  readonly type: string;
  readonly description: string;
  /** null if it is never sent on this channel; `isFixed`: it can't be changed */
  readonly on: Readonly<Record<Channel, { readonly is: boolean; readonly isFixed?: boolean } | null>>;
}

export interface ChannelsProps {
  readonly rows: readonly NoticeRow[];
  readonly heading: string;
  readonly channels: Readonly<Record<Channel, string>>;
  readonly onTurn: (row: NoticeRow, channel: Channel, on: boolean) => void;
}

export function Channels({ rows, heading, channels, onTurn }: ChannelsProps) {
  return (
    <div className="wide-table" tabIndex={0} role="group" aria-label={heading}>
      <table>
        <thead>
          <tr>
            <th scope="col">{heading}</th>
            {CHANNELS.map((channel) => (
              <th key={channel} scope="col">
                {channels[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.type}>
              <th scope="row">{row.description}</th>
              {CHANNELS.map((channel) => {
                const on = row.on[channel];
                return (
                  <td key={channel} className="tick">
                    {on ? (
                      <input
                        type="checkbox"
                        aria-label={`${row.description}: ${channels[channel]}`}
                        disabled={on.isFixed}
                        checked={on.is}
                        onChange={({ target }) => onTurn(row, channel, target.checked)}
                      />
                    ) : (
                      <span className="soft">–</span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
