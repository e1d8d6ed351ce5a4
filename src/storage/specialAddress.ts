import { BlockList, isIP } from "node:net";

// IANA special-purpose address registries, and the non-unicast ranges.
const special4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
];
const global6 = "2000::/3";
// Exceptions within the global range: Teredo and 6to4, which embed IPv4 addresses, and documentation.
const special6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/**
 * True if the address is not on the public internet: loopback, local network, cloud metadata service, private or
 * reserved range. True for text that is not an IP address.
 */
export function isSpecialAddress(text: string): boolean {
  const address = text.split("%", 1)[0] ?? "";
  switch (isIP(address)) {
    case 4:
      return listOf(special4, "ipv4").check(address, "ipv4");
    case 6:
      return (
        !listOf([global6], "ipv6").check(address, "ipv6") ||
        listOf(special6, "ipv6").check(address, "ipv6")
      );
    default:
      return true;
  }
}

function listOf(networks: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [net = "", bits = ""] = network.split("/");
    list.addSubnet(net, Number(bits), family);
  }
  return list;
}
