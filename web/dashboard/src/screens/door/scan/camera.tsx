/** Reads a code with the camera, in browsers that support it. */
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { words } from '../words.ts';

/** A type of the Shape Detection API, which TypeScript's browser types lack. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}
declare global {
  // oxlint-disable-next-line no-var -- only so is it one of the global names
  var BarcodeDetector: (new () => Detector) | undefined;
}

const EVERY_MS = 150;

export const hasCamera = (): boolean =>
  globalThis.BarcodeDetector !== undefined && navigator.mediaDevices?.getUserMedia !== undefined;

export function Camera({ onCode, onClose }: { readonly onCode: (code: string) => void; readonly onClose: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const handler = useRef(onCode);
  handler.current = onCode;
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const detector = new globalThis.BarcodeDetector!();
    const look = async (): Promise<void> => {
      // If a frame can't be read, the next one is tried.
      const [code] = await detector.detect(video.current!).catch(() => []);
      if (ended) return;
      if (code && code.rawValue !== '') handler.current(code.rawValue);
      else timer = setTimeout(() => void look(), EVERY_MS);
    };
    const begin = async (): Promise<void> => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (ended) return stop();
      video.current!.srcObject = stream;
      await video.current!.play();
      await look();
    };
    const stop = (): void => stream?.getTracks().forEach((track) => track.stop());
    begin().catch(() => ended || setRefused(true));
    return () => {
      ended = true;
      clearTimeout(timer);
      stop();
    };
  }, []);
  return (
    <Dialog title={words.say('scan.camera')} onClose={onClose}>
      {refused ? (
        <p className="notice wrong" role="alert">
          {words.say('scan.camera.refused')}
        </p>
      ) : (
        <>
          <video ref={video} className="camera" muted playsInline />
          <p className="soft">{words.say('scan.camera.hint')}</p>
        </>
      )}
    </Dialog>
  );
}
