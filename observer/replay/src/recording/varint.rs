// SPDX-License-Identifier: MIT
//! Encodes numbers in as many bytes as needed: seven bits per byte, the lowest first (LEB128).

use std::io::{self, BufRead};

pub fn put(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[inline]
pub fn get(source: &mut impl BufRead) -> io::Result<u32> {
    let mut number = 0;
    for shift in (0..32).step_by(7) {
        let byte = byte(source)?;
        number |= u32::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}

#[inline]
pub fn byte(source: &mut impl BufRead) -> io::Result<u8> {
    let &first = source
        .fill_buf()?
        .first()
        .ok_or(io::ErrorKind::UnexpectedEof)?;
    source.consume(1);
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_was_put() {
        for number in [0, 1, 127, 128, 0x1234_5678, u32::MAX] {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            assert_eq!(get(&mut &bytes[..]).unwrap(), number);
            assert!(get(&mut &bytes[..bytes.len() - 1]).is_err());
        }
    }
}
