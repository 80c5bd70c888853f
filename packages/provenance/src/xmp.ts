import sharp from "sharp";

/**
 * Creates an XMP packet that states how the image was generated, using the IPTC Photo Metadata
 * Standard, for software without C2PA support. The instance id identifies the file and is repeated
 * in the C2PA claim.
 *
 * @param verifyUrl where anyone can verify the image, as a related resource (Dublin Core).
 */
export function xmpPacket(
  digitalSourceType: string,
  instanceId: string,
  verifyUrl: string | null = null,
): string {
  return [
    `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>`,
    `<x:xmpmeta xmlns:x="adobe:ns:meta/">`,
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">`,
    `<rdf:Description rdf:about=""`,
    ` xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"`,
    ` xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"`,
    ` Iptc4xmpExt:DigitalSourceType="${digitalSourceType}"`,
    ` xmpMM:InstanceID="${instanceId}"`,
    ...(verifyUrl === null ? ["/>"] : relationTo(verifyUrl)),
    `</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
  ].join("");
}

function relationTo(url: string): string[] {
  const escaped = url.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return [
    ` xmlns:dc="http://purl.org/dc/elements/1.1/">`,
    `<dc:relation><rdf:Bag><rdf:li>${escaped}</rdf:li></rdf:Bag></dc:relation>`,
    `</rdf:Description>`,
  ];
}

/**
 * Reads the digital source type from an image's XMP packet, written as an attribute, an element or
 * a reference; null when it is missing or the file cannot be read.
 */
export async function readXmpSourceType(bytes: Uint8Array): Promise<string | null> {
  const { xmp } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ xmp: undefined }));
  const pattern =
    /DigitalSourceType(?:\s*=\s*["']|\s+rdf:resource\s*=\s*["']|\s*>\s*)([^"'<>\s]{1,200})/;
  return pattern.exec(xmp?.subarray(0, maxXmpBytes).toString("utf8") ?? "")?.[1] ?? null;
}

/** A packet is a few kilobytes; larger packets in hostile files are not read further. */
const maxXmpBytes = 256 * 1024;
